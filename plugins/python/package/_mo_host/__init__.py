"""Python extensions of OpenVINO's former Model Optimizer, on top of mo-host's table of functions.

abi     the functions of mo/plugin.h by ctypes
graph   Graph, Node, ports and data nodes
ops     Op, the library of operations, and what becomes of them
model   what extractors see of the framework
passes  classes of transformations, patterns, their order
modules what `import openvino.tools.mo` finds
start   folders, registration, errors
"""
