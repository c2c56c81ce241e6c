"""The paper's constants: those of BTT18 with half of its k."""

from dataclasses import replace

from harness.theory.constants.btt18 import CONSTANTS as BTT18

CONSTANTS = replace(BTT18, name="halved", source="SEC Section 2", k_scale=0.5)
