"""What Inspect loads through our entry point: tasks, solver, scorer and the provider of embedded participants.

``inspect eval turnwise/sessions --model-role therapist=…`` finds them by name. Without the extra nothing is defined.
"""

from __future__ import annotations

from turnwise.engine.through_inspect.logs import inspect_is_there

if inspect_is_there():
    from turnwise.engine.through_inspect.live import define_live_session
    from turnwise.engine.through_inspect.providers import define_provider
    from turnwise.engine.through_inspect.scorers import define_session_scores
    from turnwise.engine.through_inspect.tasks import define_sessions

    live_session = define_live_session()
    session_scores = define_session_scores()
    sessions = define_sessions(live_session, session_scores)
    provider = define_provider()
