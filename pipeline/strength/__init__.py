"""Stage 4: MoveScore -> Evidence -> StrengthRange, and how the model is fitted and measured."""
