import { useWords, words } from '../language/language.tsx'
import { Copied } from '../parts/copied.tsx'
import { Facts } from '../parts/facts.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { useAccount } from '../session/account.ts'
import { TenantStatusTag } from '../tenants/tenant-status-tag.tsx'
import { roleWords, tierWords } from '../tenants/tenant-words.ts'

const text = words({
  en: {
    title: 'Account',
    name: 'Name',
    status: 'Status',
    role: 'Role',
    tier: 'Tier',
    partner: 'Partner',
    id: 'Account ID',
    created: 'Created',
  },
  id: {
    title: 'Akun',
    name: 'Nama',
    status: 'Status',
    role: 'Peran',
    tier: 'Paket',
    partner: 'Mitra',
    id: 'ID akun',
    created: 'Dibuat',
  },
})

/** Shows the details of the user's tenant that the user cannot change, such as its name and status. */
export function TenantFacts() {
  const t = useWords(text)
  const roles = useWords(roleWords)
  const tiers = useWords(tierWords)
  const { id, name, role, tier, status, partner_name, created_at } = useAccount()
  return (
    <Panel title={t.title}>
      <Facts
        items={[
          [t.name, name],
          [t.status, <TenantStatusTag key="status" status={status} />],
          [t.role, roles[role]],
          [t.tier, tiers[tier]],
          [t.partner, partner_name],
          [t.id, <Copied key="id" value={id} what={t.id} />],
          [t.created, <Moment key="created" at={created_at} />],
        ]}
      />
    </Panel>
  )
}
