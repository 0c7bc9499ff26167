// The pages that each role sees in the navigation. The server enforces permissions; this only hides links.

import {
  IconApi,
  IconBuildingBank,
  IconBuildingStore,
  IconChartBar,
  IconCreditCard,
  IconGauge,
  IconHeartbeat,
  IconHistory,
  IconInbox,
  IconKey,
  IconListDetails,
  IconListSearch,
  IconScale,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react'
import { words } from '../language/language.tsx'
import type { Account } from '../session/account.ts'

export const names = words({
  en: {
    overview: 'Overview',
    payments: 'Payments',
    ledger: 'Ledger',
    webhooks: 'Webhooks',
    apiKeys: 'API keys',
    requests: 'Requests',
    users: 'Users',
    clients: 'Clients',
    tenants: 'Tenants',
    limits: 'Request limits',
    providers: 'Provider accounts',
    health: 'Provider health',
    callbacks: 'Callbacks',
    inbox: 'Inbox',
    reconciliation: 'Reconciliation',
    audit: 'Audit log',
  },
  id: {
    overview: 'Ringkasan',
    payments: 'Pembayaran',
    ledger: 'Buku besar',
    webhooks: 'Webhook',
    apiKeys: 'Kunci API',
    requests: 'Permintaan',
    users: 'Pengguna',
    clients: 'Klien',
    tenants: 'Tenant',
    limits: 'Batas permintaan',
    providers: 'Akun penyedia',
    health: 'Kondisi penyedia',
    callbacks: 'Callback',
    inbox: 'Kotak masuk',
    reconciliation: 'Rekonsiliasi',
    audit: 'Log audit',
  },
})

const pages = {
  overview: { to: '/', icon: IconChartBar },
  payments: { to: '/payments', icon: IconCreditCard },
  ledger: { to: '/ledger', icon: IconListDetails },
  webhooks: { to: '/webhooks', icon: IconWebhook },
  apiKeys: { to: '/api-keys', icon: IconKey },
  requests: { to: '/requests', icon: IconListSearch },
  users: { to: '/users', icon: IconUsers },
  clients: { to: '/tenants', icon: IconBuildingStore },
  tenants: { to: '/tenants', icon: IconBuildingStore },
  limits: { to: '/limits', icon: IconGauge },
  providers: { to: '/provider-accounts', icon: IconBuildingBank },
  health: { to: '/provider-health', icon: IconHeartbeat },
  callbacks: { to: '/callbacks', icon: IconApi },
  inbox: { to: '/inbox', icon: IconInbox },
  reconciliation: { to: '/reconciliation', icon: IconScale },
  audit: { to: '/audit-log', icon: IconHistory },
} as const

type Name = keyof typeof pages

const ofRole: Record<Account['role'], Name[]> = {
  client: [
    'overview',
    'payments',
    'ledger',
    'webhooks',
    'apiKeys',
    'requests',
    'reconciliation',
    'users',
    'audit',
  ],
  partner: ['overview', 'clients', 'reconciliation', 'users', 'audit'],
  owner: [
    'overview',
    'tenants',
    'limits',
    'providers',
    'health',
    'callbacks',
    'inbox',
    'reconciliation',
    'users',
    'audit',
  ],
}

const isAt = (to: string, pathname: string): boolean =>
  to === '/' ? pathname === '/' : pathname === to || pathname.startsWith(`${to}/`)

/**
 * Returns the page to which a path belongs, including paths below the page. Returns undefined if the role has no such
 * page.
 */
export const pageAt = (role: Account['role'], pathname: string): Name | undefined =>
  ofRole[role].find(name => isAt(pages[name].to, pathname))

/**
 * The paths of single payments, which every role can open from lists. The server decides which payments a user may see.
 */
const aPayment = /^\/payments\/(?!new$)[^/]+$/

/** Returns whether the page exists only for other roles. */
export const isOfOthers = (role: Account['role'], pathname: string): boolean =>
  pageAt(role, pathname) === undefined &&
  !aPayment.test(pathname) &&
  Object.values(pages).some(({ to }) => isAt(to, pathname))

export const navigationOf = (role: Account['role']) => ofRole[role].map(name => ({ name, ...pages[name] }))
