-- The end of a session is announced like any other change (0016_announced_changes.sql), since its access tokens end with
-- it. A row that is deleted is of a token that expired weeks ago, and tells nobody anything.
create trigger refresh_tokens_announced after update of revoked_at on refresh_tokens
  for each row execute function announce_change('session', 'family_id');
