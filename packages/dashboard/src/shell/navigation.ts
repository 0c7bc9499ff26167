// The pages in the navigation. They depend on the tenant's role and the user's permissions. The server enforces
// both.

import { isPermitted, type NeededPermission } from '@gapura/server/permission'
import {
  IconApi,
  IconArrowBackUp,
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
  IconReceipt,
  IconScale,
  IconSettings,
  IconShieldLock,
  IconUsers,
  IconWallet,
  IconWebhook,
} from '@tabler/icons-react'
import { words } from '../language/language.tsx'
import type { Account } from '../session/account.ts'

export const names = words({
  en: {
    overview: 'Overview',
    payments: 'Payments',
    refunds: 'Refunds',
    ledger: 'Ledger',
    fees: 'Fees',
    methods: 'Payment methods',
    webhooks: 'Webhooks',
    apiKeys: 'API keys',
    requests: 'Requests',
    users: 'Users',
    security: 'Security',
    settings: 'Settings',
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
    refunds: 'Pengembalian',
    ledger: 'Buku besar',
    fees: 'Biaya',
    methods: 'Metode pembayaran',
    webhooks: 'Webhook',
    apiKeys: 'Kunci API',
    requests: 'Permintaan',
    users: 'Pengguna',
    security: 'Keamanan',
    settings: 'Pengaturan',
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
  refunds: { to: '/refunds', icon: IconArrowBackUp },
  ledger: { to: '/ledger', icon: IconListDetails },
  fees: { to: '/fees', icon: IconReceipt },
  methods: { to: '/payment-methods', icon: IconWallet },
  webhooks: { to: '/webhooks', icon: IconWebhook },
  apiKeys: { to: '/api-keys', icon: IconKey },
  requests: { to: '/requests', icon: IconListSearch },
  users: { to: '/users', icon: IconUsers },
  security: { to: '/security', icon: IconShieldLock },
  settings: { to: '/settings', icon: IconSettings },
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

export type PageName = keyof typeof pages

/**
 * The permissions that a user needs to open a page. If several permissions are listed, one of them is enough.
 * If a page has no entry, every user whose role includes the page can open it.
 */
const needed: Partial<Record<PageName, NeededPermission>> = {
  webhooks: ['developer', 'support'],
  apiKeys: 'developer',
  requests: ['developer', 'support'],
  callbacks: ['developer', 'support'],
  reconciliation: 'finance',
  audit: 'admin',
}

/** The properties of the user's account that determine which pages the user sees. */
type Reader = { role: Account['role']; user: Pick<Account['user'], 'permissions'> }

const ofRole: Record<Account['role'], PageName[]> = {
  client: [
    'overview',
    'payments',
    'refunds',
    'ledger',
    'fees',
    'methods',
    'webhooks',
    'apiKeys',
    'requests',
    'reconciliation',
    'users',
    'security',
    'settings',
    'audit',
  ],
  partner: [
    'overview',
    'clients',
    'refunds',
    'fees',
    'reconciliation',
    'users',
    'security',
    'settings',
    'audit',
  ],
  owner: [
    'overview',
    'tenants',
    'refunds',
    'fees',
    'limits',
    'providers',
    'health',
    'callbacks',
    'inbox',
    'reconciliation',
    'users',
    'security',
    'settings',
    'audit',
  ],
}

const isAt = (to: string, pathname: string): boolean =>
  to === '/' ? pathname === '/' : pathname === to || pathname.startsWith(`${to}/`)

/**
 * Returns the page whose path is the given path or a parent of it. Returns undefined if the user may open no
 * such page.
 */
export const pageAt = (reader: Reader, pathname: string): PageName | undefined =>
  namesFor(reader).find(name => isAt(pages[name].to, pathname))

const namesFor = ({ role, user }: Reader): PageName[] =>
  ofRole[role].filter(name => isPermitted(user.permissions, needed[name] ?? 'viewer'))

/**
 * Matches the path of a single payment's page. Every user can open such a path. The server decides whether the user
 * may read the payment.
 */
const aPayment = /^\/payments\/(?!new$)[^/]+$/

/** Returns true if the page exists but requires another role or other permissions. */
export const isOfOthers = (reader: Reader, pathname: string): boolean =>
  pageAt(reader, pathname) === undefined &&
  !aPayment.test(pathname) &&
  Object.values(pages).some(({ to }) => isAt(to, pathname))

/** Returns the pages in the navigation. If the tenant has no fees, the fee page is left out. */
export const navigationOf = (reader: Reader, { hasFees }: { hasFees: boolean }) =>
  namesFor(reader)
    .filter(name => name !== 'fees' || hasFees)
    .map(name => ({ name, ...pages[name] }))
