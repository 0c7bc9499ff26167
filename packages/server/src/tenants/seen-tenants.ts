import type { Scope } from '../db/scope.ts'
import type { Viewer } from './tenant.ts'

/** Whom the viewer sees (tenant.ts), as the database holds it; undefined: everybody. */
export function scopeOf(viewer: Viewer): Scope | undefined {
  if (viewer === null || viewer.role === 'owner') return undefined
  const { tenantId, role } = viewer
  return role === 'partner' ? { tenants: [], partners: [tenantId] } : { tenants: [tenantId], partners: [] }
}
