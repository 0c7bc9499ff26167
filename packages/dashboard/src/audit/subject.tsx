import { TextLink } from '../parts/links.tsx'
import { useAccount } from '../session/account.ts'
import { type Entry, nameOf } from './entry.ts'

/** Shows an audit entry's subject: the changed object. It is a link if the object has a page. */
export function Subject({ of: entry }: { of: Entry }) {
  const { role } = useAccount()
  const { subject_id: id } = entry
  // Each audit entry already shows the user who made the change. If this user changed their own data, the changed
  // object is the same user and is not shown again.
  if (id === entry.actor_user_id) return null
  const [noun] = entry.action.split('.')
  const name = nameOf(entry)
  // If the changed object is the tenant itself, its ID is not shown, because the audit entry already shows
  // its tenant.
  const label = name ?? (id && id !== entry.tenant_id ? `…${id.slice(-8)}` : undefined)
  if (!label) return null
  const shown = name ? undefined : 'mono'
  if (id && role === 'client' && (noun === 'payment' || noun === 'unknown_payment'))
    return (
      <TextLink to="/payments/$paymentId" params={{ paymentId: id }} size="sm" className={shown}>
        {label}
      </TextLink>
    )
  if (id && role === 'client' && noun === 'webhook')
    return (
      <TextLink to="/webhooks/$eventId" params={{ eventId: id }} size="sm" className={shown}>
        {label}
      </TextLink>
    )
  if (id && role !== 'client' && noun === 'tenant')
    return (
      <TextLink to="/tenants/$tenantId" params={{ tenantId: id }} size="sm" className={shown}>
        {label}
      </TextLink>
    )
  return (
    <span className={shown} title={name ?? id ?? undefined}>
      {label}
    </span>
  )
}
