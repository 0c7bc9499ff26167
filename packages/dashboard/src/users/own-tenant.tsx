import { useWords, words } from '../language/language.tsx'
import { Copied } from '../parts/copied.tsx'
import { Facts } from '../parts/facts.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { type Account, useAccount } from '../session/account.ts'
import { roleWords } from '../tenants/tenant-words.ts'

const text = words({
  en: {
    title: 'Your tenant',
    name: 'Name',
    id: 'Tenant ID',
    role: 'Role',
    tier: 'Tier',
    since: 'Created',
    tiers: {
      starter: 'Starter: 50 requests per second per API key',
      growth: 'Growth: 200 requests per second per API key',
      enterprise: 'Enterprise: 2,000 requests per second per API key',
    },
  },
  id: {
    title: 'Tenant Anda',
    name: 'Nama',
    id: 'ID tenant',
    role: 'Peran',
    tier: 'Paket',
    since: 'Dibuat',
    tiers: {
      starter: 'Starter: 50 permintaan per detik per kunci API',
      growth: 'Growth: 200 permintaan per detik per kunci API',
      enterprise: 'Enterprise: 2.000 permintaan per detik per kunci API',
    },
  },
} satisfies Record<
  'en' | 'id',
  {
    tiers: Record<Account['tier'], string>
    [name: string]: unknown
  }
>)

export function OwnTenant() {
  const t = useWords(text)
  const roles = useWords(roleWords)
  const { id, name, role, tier, created_at } = useAccount()
  return (
    <Panel title={t.title}>
      <Facts
        items={[
          [t.name, name],
          [t.id, <Copied key="id" value={id} what={t.id} />],
          [t.role, roles[role]],
          // The tier is shown only for a Client, because it applies to API keys, which only a Client has.
          [t.tier, role === 'client' ? t.tiers[tier] : null],
          [t.since, <Moment key="since" at={created_at} />],
        ]}
      />
    </Panel>
  )
}
