import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { useWords, words } from '../language/language.tsx'
import { AddressTabs } from '../parts/address-tabs.tsx'
import { Page } from '../parts/page.tsx'
import { type Account, useAccount, useIsPermitted } from '../session/account.ts'
import { FeeReport } from './fee-report.tsx'
import { FeeStatement } from './fee-statement.tsx'
import { OwnFees } from './own-fees.tsx'
import { PricedTenants } from './priced-tenants.tsx'

const text = words({
  en: {
    title: 'Fees',
    about: {
      client: 'What your payments cost, and your monthly statements.',
      partner: 'What you charge your clients, what the operator charges you, and your monthly statements.',
      owner: 'What you charge your tenants, and what they paid.',
    },
    parts: 'Sections of this page',
    tenants: { owner: 'Tenants with fees', partner: 'Clients with fees', client: '' },
    own: { client: 'Your fees', partner: 'What you pay', owner: '' },
    report: 'Report',
    statement: 'Monthly statement',
  },
  id: {
    title: 'Biaya',
    about: {
      client: 'Biaya pembayaran Anda, dan laporan bulanannya.',
      partner:
        'Biaya yang Anda kenakan kepada klien, biaya yang dikenakan operator kepada Anda, dan laporan bulanannya.',
      owner: 'Biaya yang Anda kenakan kepada tenant, dan yang sudah mereka bayar.',
    },
    parts: 'Bagian halaman ini',
    tenants: { owner: 'Tenant dengan biaya', partner: 'Klien dengan biaya', client: '' },
    own: { client: 'Biaya Anda', partner: 'Yang Anda bayar', owner: '' },
    report: 'Laporan',
    statement: 'Laporan bulanan',
  },
})

const tabs = {
  tenants: PricedTenants,
  own: OwnFees,
  report: FeeReport,
  statement: FeeStatement,
} satisfies Record<string, ComponentType>
type Name = keyof typeof tabs

const namesOf = (role: Account['role'], handlesMoney: boolean): Name[] => [
  ...(role === 'client' ? [] : (['tenants'] as const)),
  ...(role === 'owner' ? [] : (['own'] as const)),
  ...(role === 'client' || !handlesMoney ? [] : (['report'] as const)),
  ...(handlesMoney ? (['statement'] as const) : []),
]

export function FeesPage() {
  const t = useWords(text)
  const { role } = useAccount()
  const handlesMoney = useIsPermitted('finance')
  const { tab } = useSearch({ from: '/inside/fees' })
  const navigate = useNavigate({ from: '/fees' })
  const names = namesOf(role, handlesMoney)
  const open = names.find(name => name === tab) ?? (names[0] as Name)
  const Shown = tabs[open]
  const labels: Record<Name, string> = {
    tenants: t.tenants[role],
    own: t.own[role],
    report: t.report,
    statement: t.statement,
  }
  return (
    <Page title={t.title} description={t.about[role]}>
      <AddressTabs
        label={t.parts}
        tabs={names.map(name => ({ name, label: labels[name] }))}
        open={open}
        onOpen={name => void navigate({ search: name === names[0] ? {} : { tab: name }, replace: true })}
      >
        <Shown />
      </AddressTabs>
    </Page>
  )
}
