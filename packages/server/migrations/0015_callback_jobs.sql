-- Callbacks that came in together share a job. Which one, by its key; a callback without has a job of its own, whose
-- key is its id.
alter table provider_callbacks add column job uuid;

-- A job more or less is no reason to plan its insertion anew each time.
alter function enqueue(text, json[], text[], timestamptz, integer) set plan_cache_mode = force_generic_plan;
