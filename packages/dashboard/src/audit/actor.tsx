import { useWords, words } from '../language/language.tsx'
import { useAccount } from '../session/account.ts'
import { TenantName } from '../tenants/tenant-name.tsx'
import type { Entry } from './entry.ts'

const text = words({
  en: {
    you: 'You',
    server: 'Server command',
    service: 'Gapura (automatic)',
    other: 'The operator or your partner',
    operator: 'The operator',
  },
  id: {
    you: 'Anda',
    server: 'Perintah di server',
    service: 'Gapura (otomatis)',
    other: 'Operator atau mitra Anda',
    operator: 'Operator',
  },
})

/**
 * Shows the email address of the user who made the change in an audit entry. If the logged-in user may not see this
 * address, shows only the tenant.
 */
export function Actor({ of: entry }: { of: Entry }) {
  const t = useWords(text)
  const account = useAccount()
  const { actor_tenant_id: tenantId, actor_user_id: userId, actor_email: email } = entry
  if (entry.action === 'user.under_attack') return t.service
  if (tenantId === null) return t.server
  if (userId === account.user.id) return t.you
  if (email) return <span title={email}>{email}</span>
  if (tenantId === account.id || account.role === 'owner') return <TenantName id={tenantId} />
  return account.role === 'client' ? t.other : t.operator
}
