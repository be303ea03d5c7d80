"""The batch engine on a GPU: kernels that call the core's functions unchanged, and what starts them.

Nothing is imported here, so that a machine without numba-cuda can ask what is missing (`load`).
"""
