"""Classes of controllers, one per member of the registry; editors read ``controllers.pyi``."""

from odonata.scenario.build.families import classes_of

__getattr__, __dir__ = classes_of("controllers")
