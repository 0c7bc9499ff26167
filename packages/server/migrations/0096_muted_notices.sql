-- The kinds of mails about problems that a user turned off (docs/decisions/0076-choice-of-notices.md). A new user gets all
-- mails. The kinds are not checked here, because a kind that the service does not know has no effect.
alter table users add column muted_notices text[] not null default '{}';
grant select (muted_notices), update (muted_notices, updated_at) on users to gapura_tenant;
