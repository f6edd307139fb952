"""What is true of the channels of a program: proofs for `verify-channels`, rows for `print-channels`.

`ends` finds who sends and who receives; `positions` (of structured parts) and `gates` (of graphs) say
where that is; `sameness` proves that two devices compute the same value, so that copies of one loop
or branch do the same; `circles` that no devices wait for each other, by the graph of `waiting`;
`report` writes the table.
"""
