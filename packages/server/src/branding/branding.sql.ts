import type { Db, Tx } from '../db/db.ts'
import type { Branding, StoredBranding, StoredLogo } from './branding.ts'

const columns = `display_name as "displayName", color, logo as data, logo_type as type, logo_width as width,
  logo_height as height, encode(logo_sha256, 'hex') as sha256`

type Row = Omit<StoredBranding, 'logo'> & { [Field in keyof StoredLogo]: StoredLogo[Field] | null }

const brandingOf = ({ displayName, color, ...logo }: Row): StoredBranding => ({
  displayName,
  color,
  logo: logo.data === null ? null : (logo as StoredLogo),
})

const none: StoredBranding = { displayName: null, color: null, logo: null }

export async function findBranding(db: Db, tenantId: string): Promise<StoredBranding> {
  const { rows } = await db.raw<{ rows: Row[] }>(
    `select ${columns} from tenant_branding where tenant_id = ?`,
    [tenantId],
  )
  return rows[0] ? brandingOf(rows[0]) : none
}

/**
 * Reads a tenant's branding and locks its row in the database. If the tenant has no branding yet, first
 * creates the row.
 */
export async function lockBranding(tx: Tx, tenantId: string): Promise<StoredBranding> {
  const { rows } = await tx.raw<{ rows: [Row] }>(
    `insert into tenant_branding (tenant_id) values (?)
     on conflict (tenant_id) do update set updated_at = tenant_branding.updated_at returning ${columns}`,
    [tenantId],
  )
  return brandingOf(rows[0])
}

export async function updateBranding(
  tx: Tx,
  tenantId: string,
  { displayName, color, logo }: Branding,
): Promise<StoredBranding> {
  const { rows } = await tx.raw<{ rows: [Row] }>(
    `update tenant_branding set display_name = :displayName, color = :color, logo = :data, logo_type = :type,
       logo_width = :width, logo_height = :height, updated_at = now()
     where tenant_id = :tenantId returning ${columns}`,
    {
      ...{ tenantId, displayName, color, data: logo?.data ?? null, type: logo?.type ?? null },
      ...{ width: logo?.width ?? null, height: logo?.height ?? null },
    },
  )
  return brandingOf(rows[0])
}

/** The parts of a tenant's branding shown to payers on the payment page. */
export type Brand = {
  name: string
  color: string | null
  logo: Pick<StoredLogo, 'sha256' | 'width' | 'height'> | null
}

/** Returns the branding that payers see, or undefined if the tenant has not set any branding. */
export async function findBrand(db: Db, tenantId: string): Promise<Brand | undefined> {
  const { rows } = await db.raw<{ rows: Brand[] }>(
    `select coalesce(b.display_name, t.name) as name, b.color,
       case when b.logo_sha256 is not null then json_build_object(
         'sha256', encode(b.logo_sha256, 'hex'), 'width', b.logo_width, 'height', b.logo_height) end as logo
     from tenant_branding b join tenants t on t.id = b.tenant_id
     where b.tenant_id = ? and num_nonnulls(b.display_name, b.color, b.logo_sha256) > 0`,
    [tenantId],
  )
  return rows[0]
}

/**
 * Returns a tenant's current logo if the logo has the given hash. Returns undefined if the hash differs, because the
 * tenant has then replaced the logo.
 */
export async function findLogo(
  db: Db,
  tenantId: string,
  sha256: string,
): Promise<Pick<StoredLogo, 'type' | 'data'> | undefined> {
  const { rows } = await db.raw<{ rows: Pick<StoredLogo, 'type' | 'data'>[] }>(
    `select logo_type as type, logo as data from tenant_branding
     where tenant_id = :tenantId and logo_sha256 = decode(:sha256, 'hex')`,
    { tenantId, sha256 },
  )
  return rows[0]
}
