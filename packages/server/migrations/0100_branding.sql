-- The name, color and logo that a tenant shows to payers (docs/decisions/0078-branding.md).

-- The contrast ratio of a color such as #0f766e with white, as WCAG 2.2 defines it.
create function contrast_with_white(color text) returns double precision language sql immutable strict as $$
  select 1.05::float8 / (0.05::float8 + sum(weight * case
    when part <= 0.04045 then part / 12.92 else power((part + 0.055) / 1.055, 2.4) end))
  from (
    select weight, get_byte(decode(substr(color, 2), 'hex'), place) / 255.0::float8 as part
    from (values (0, 0.2126::float8), (1, 0.7152::float8), (2, 0.0722::float8)) as channel (place, weight)
  ) parts
$$;

create table tenant_branding (
  tenant_id uuid primary key references tenants,
  display_name text check (char_length(display_name) between 1 and 60),
  -- Payers see white text on this color.
  color text constraint tenant_branding_color_is_legible check (
    case when color ~ '^#[0-9a-f]{6}$' then contrast_with_white(color) >= 4.5 else color is null end),
  logo bytea check (octet_length(logo) between 1 and 100000),
  logo_type text,
  logo_width smallint check (logo_width between 1 and 1024),
  logo_height smallint check (logo_height between 1 and 1024),
  logo_sha256 bytea generated always as (sha256(logo)) stored,
  updated_at timestamptz not null default now(),
  constraint tenant_branding_logo_is_whole check (num_nulls(logo, logo_type, logo_width, logo_height) in (0, 4)),
  -- Compares the type with the first bytes, so that a browser never gets another kind of file as a picture.
  constraint tenant_branding_logo_is_picture check (case logo_type
    when 'image/png' then substring(logo for 8) = '\x89504e470d0a1a0a'
    when 'image/jpeg' then substring(logo for 3) = '\xffd8ff'
    when 'image/webp' then substring(logo for 4) = '\x52494646' and substring(logo from 9 for 4) = '\x57454250'
    else logo_type is null end)
);

alter table tenant_branding enable row level security;
create policy everybody on tenant_branding using (true);
create policy tenants_in_scope on tenant_branding as restrictive to gapura_tenant
  using (coalesce(tenant_id = any ((select tenants_in_scope())::uuid[]), false));
grant select, insert, update on tenant_branding to gapura_tenant;
