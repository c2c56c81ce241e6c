"""Samplers with other parameters than the default ones, for `tests.support.drawn`."""

from harness.analysts import Analyst
from harness.analysts.boundary import BoundarySearch
from harness.analysts.descent import Descent
from harness.analysts.features import Features
from harness.analysts.modes import Modes
from harness.analysts.planted import PlantedVotes
from harness.concepts import atoms, cube_stumps, curve, halfspaces, intervals, stumps, thresholds
from harness.concepts.arcs import Arcs, Circle
from harness.concepts.ladder import Ladder
from harness.covers import Marginal, QueryClass
from harness.covers.affine_halfspaces import AffineHalfspaceQueries, Scattered
from harness.covers.cube_stumps import CubeStumpQueries, Mixture, Product
from harness.covers.halfspaces import HalfspaceQueries, Tilted
from harness.covers.interval_unions import IntervalUnions
from harness.covers.line import HeavyAtoms, LogUniform
from harness.covers.parities import Bits, Parities, Planted
from harness.covers.random_queries import Heavy, RandomQueries, Ranked
from harness.covers.stumps import StumpQueries
from harness.covers.thresholds import ThresholdQueries
from harness.covers.windows import Beside, Windows
from harness.scores import Instance, Learner
from harness.scores.agreement import AgreementScores
from harness.scores.atoms import ScoreAtoms
from harness.scores.means import LabelMeans
from harness.scores.sgd import Sgd
from tests.support.cases import Case

OTHER_CASES = (
    Case(halfspaces.Halfspaces(d=5), halfspaces.Sphere(), "svm", 0.0),
    Case(halfspaces.Halfspaces(d=4), halfspaces.Gaussian(), "svm", 0.0),
    Case(halfspaces.AffineHalfspaces(d=1), halfspaces.Gaussian(), "erm", 0.1),
    Case(halfspaces.Halfspaces(d=6), Ladder(first=4, last=400), "svm", 0.0),
    Case(halfspaces.Halfspaces(d=5), Ladder(scale=0.1), "svm", 0.1),
    Case(intervals.Intervals(labels=5), intervals.Uniform(), "leftmost", 0.0),
    Case(intervals.Intervals(labels=2), intervals.Uniform(), "midpoint", 0.2),
    Case(stumps.Stumps(d=5), stumps.Uniform(), "erm", 0.0),
    Case(cube_stumps.CubeStumps(p=100), cube_stumps.Uniform(), "erm", 0.05),
    Case(cube_stumps.CubeStumps(p=4), atoms.Hard(mass=0.2), "erm", 0.0),
    Case(cube_stumps.CubeStumps(p=8), atoms.Hard(c=2.0, scale=0.5), "erm", 0.02),
    *(
        Case(thresholds.Thresholds(), thresholds.Uniform(target=target), learner, gamma)
        for target, learner, gamma in ((0.2, "leftmost", 0.0), (0.8, "rightmost", 0.3), (0.3, "midpoint", 0.0))
    ),
    Case(curve.Curve(errs=("0.1@100", "0.01@1000", "0.009@9000")), curve.Split(wrong=0.9), "curve", 0.0),
    Case(Arcs(), Circle(share=0.3), "spread", 0.0),
)

OTHER_QUERIES: tuple[tuple[QueryClass, Marginal], ...] = (
    (IntervalUnions(intervals=3), HeavyAtoms(count=3, total=0.6, first=0.1)),
    (ThresholdQueries(), LogUniform(scale=5.0)),
    (StumpQueries(d=3), HeavyAtoms(count=4, total=0.3, first=0.2)),
    (HalfspaceQueries(), Tilted(tilt=0.4)),
    (AffineHalfspaceQueries(), Scattered(support=9, heavy=0.4)),
    (CubeStumpQueries(dimension=9), Product(bias=0.1, spread=0.6)),
    (CubeStumpQueries(dimension=9), Mixture(bias=0.6, other=-0.2, weight=0.3)),
    (Parities(d=5), Planted(count=3, bias=0.3)),
    (Parities(d=4), Bits(bias=-0.2)),
    (RandomQueries(count=40, cells=30, seed=3), Ranked(power=2.0)),
    (RandomQueries(count=9, cells=3), Heavy(count=5, total=0.7)),
    (Windows(ring=13, width=4), Beside(point=0.4)),
)

TWO = ScoreAtoms(masses=(0.5, 0.3), chances=(0.4, 0.7))

OTHER_SCORES: tuple[tuple[Instance, Learner], ...] = (
    (TWO, LabelMeans()),
    (TWO, Sgd(eta=0.5)),
    (TWO, Sgd(loss="logistic", steps="sqrt", eta=0.7, ridge=0.2, passes=2, order="permuted")),
    (TWO, AgreementScores(share=0.9, rest="shifted", lean=0.3)),
    (ScoreAtoms(masses=(0.01,), chances=(0.9,)), LabelMeans()),
)

OTHER_ANALYSTS: tuple[Analyst, ...] = (
    Features(d=5, rho=0.4),
    Features(d=2, rho=1.0),
    Modes(values=3, lead=0.5),
    Descent(children=3, heavy=0.5, depth=2),
    BoundarySearch(target=0.3),
    PlantedVotes(values=None, share=0.8),
)
