"""The steps of a gate in a GitHub workflow, as action.yml runs them: `python -I -m irgauge.cli.workflow.gate`.

Inputs come as environment variables, never as parts of a shell command. Only Python's library is imported.
"""
