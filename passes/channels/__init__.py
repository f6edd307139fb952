"""What is true of the channels of a program: proofs for `verify-channels`, rows for `print-channels`.

`ends` finds who sends and who receives, `positions` says where that is, `sameness` proves that two
devices compute the same value (so that copies of one loop or branch do the same), `waits` that no
device waits in a circle, `report` writes the table.
"""
