"""Engine: the outside world enters here.

Belongs here: batch runs, the run folder, importers and exporters, discovery of plugins, language
model ports. May not: decide what a number means (that is a metric) or how it looks (an app).
"""
