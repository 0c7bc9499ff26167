-- The logs are read through for the bounds of 0013; neither reading nor writing waits for it. By itself, so that it need
-- not be done again when 0018, which locks both, has to give way and come again.
alter table provider_callbacks validate constraint provider_callbacks_bound;
alter table webhook_attempts validate constraint webhook_attempts_bound;
