-- PostgreSQL first writes new search words to a list in the index payment_search_words. When the list exceeds 1 MB
-- (migration 0073), the transaction that writes the next word merges the whole list into the index, and its payments
-- have to wait. If the index does not fit in memory, this takes more than a second.
--
-- The service therefore merges the list with this function (jobs/search-merges.ts), before it reaches the limit.
-- Returns false if another process is merging the list.
create function merge_search_index() returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not pg_try_advisory_xact_lock(hashtext('gapura_search_merges')) then
    return false;
  end if;
  perform gin_clean_pending_list('payment_search_words');
  return true;
end $$;
revoke execute on function merge_search_index() from public;
