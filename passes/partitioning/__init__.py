"""Splitting a placed, structured function into one part per device: the analyses and the copies.

`homes` says on which device each value lives, `replication` what every device computes for itself
instead of being told, `demand` which device needs what and so which values travel, `copies` writes
each device's part. The pass is `passes/partition_devices.py`.
"""
