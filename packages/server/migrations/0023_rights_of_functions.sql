-- What runs with the rights of the tables' owner is for those it was made for: PostgreSQL lets everybody execute a new
-- function, a role that was only granted to read as well.
revoke execute on function enqueue(text, json[], text[], timestamptz, integer) from public;
grant execute on function enqueue(text, json[], text[], timestamptz, integer) to gapura_tenant;
revoke execute on function find_customers(uuid, text, integer) from public;
grant execute on function find_customers(uuid, text, integer) to gapura_tenant;
