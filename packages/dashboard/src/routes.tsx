// The routes of all pages. Each page has its own script. All pages except login, password reset and invitations
// require a session and are shown inside the shell (the frame with the navigation).

import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  parseSearchWith,
  redirect,
  retainSearchParams,
  stringifySearchWith,
} from '@tanstack/react-router'
import { queryClient } from './api/query-client.ts'
import { FailedOutside, FailedPage } from './parts/failed-page.tsx'
import { lazyPage } from './parts/lazy-page.ts'
import { Missing, Pending } from './parts/states.tsx'
import { accountQuery } from './session/account.ts'
import { onSessionLost, resume } from './session/session.ts'
import { isMode, type Mode, storedMode, storeMode } from './shell/mode.ts'

const root = createRootRouteWithContext<object>()({ component: Outlet })

/** Reads the URL's search parameters as text. The server validates their values. */
const textOf =
  <Name extends string>(...names: Name[]) =>
  (search: Record<string, unknown>): Partial<Record<Name, string>> =>
    Object.fromEntries(
      names.flatMap(name => {
        const value = search[name]
        return value === undefined || value === '' ? [] : [[name, String(value)]]
      }),
    ) as Partial<Record<Name, string>>

const logIn = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: textOf('next', 'why'),
  beforeLoad: async () => {
    if (await resume()) throw redirect({ to: '/' })
  },
  component: lazyPage(() => import('./session/log-in-page.tsx'), 'LogInPage'),
  errorComponent: FailedOutside,
})

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  validateSearch: textOf('step'),
  component: lazyPage(() => import('./session/reset-password-page.tsx'), 'ResetPasswordPage'),
  errorComponent: FailedOutside,
})

const acceptInvitation = createRoute({
  getParentRoute: () => root,
  path: '/accept-invitation',
  component: lazyPage(() => import('./session/accept-invitation-page.tsx'), 'AcceptInvitationPage'),
  errorComponent: FailedOutside,
})

const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  validateSearch: ({ mode }: Record<string, unknown>): { mode?: Mode } => (isMode(mode) ? { mode } : {}),
  // Every link keeps the URL's mode (test or live), even if it replaces all other search parameters.
  search: { middlewares: [retainSearchParams(['mode'])] },
  beforeLoad: async ({ location, search }) => {
    if (!(await resume())) throw redirect({ to: '/login', search: { next: location.href } })
    if (search.mode === undefined)
      throw redirect({ to: '.', search: before => ({ ...before, mode: storedMode() }), replace: true })
    storeMode(search.mode)
  },
  loader: () => queryClient.ensureQueryData(accountQuery()),
  component: lazyPage(() => import('./shell/shell.tsx'), 'Shell'),
  errorComponent: FailedOutside,
})
const parent = { getParentRoute: () => inside }

const overview = createRoute({
  ...parent,
  path: '/',
  validateSearch: textOf('days', 'from', 'to'),
  component: lazyPage(() => import('./overview/overview-page.tsx'), 'OverviewPage'),
})

const paymentSearch = [
  'q',
  'status',
  'method_type',
  'channel',
  'provider',
  'amount',
  'from',
  'to',
  'order',
] as const
const payments = createRoute({
  ...parent,
  path: '/payments',
  validateSearch: textOf(...paymentSearch),
  component: lazyPage(() => import('./payments/payments-page.tsx'), 'PaymentsPage'),
})
const newPayment = createRoute({
  ...parent,
  path: '/payments/new',
  component: lazyPage(() => import('./payments/new-payment-page.tsx'), 'NewPaymentPage'),
})
const payment = createRoute({
  ...parent,
  path: '/payments/$paymentId',
  component: lazyPage(() => import('./payments/payment-page.tsx'), 'PaymentPage'),
})
const refunds = createRoute({
  ...parent,
  path: '/refunds',
  validateSearch: textOf('status', 'from', 'to', 'order'),
  component: lazyPage(() => import('./refunds/refunds-page.tsx'), 'RefundsPage'),
})
const fees = createRoute({
  ...parent,
  path: '/fees',
  validateSearch: textOf('tab', 'from', 'to', 'by', 'month', 'tenant_id'),
  component: lazyPage(() => import('./fees/fees-page.tsx'), 'FeesPage'),
})
const paymentMethods = createRoute({
  ...parent,
  path: '/payment-methods',
  component: lazyPage(() => import('./payment-methods/payment-methods-page.tsx'), 'PaymentMethodsPage'),
})
const ledger = createRoute({
  ...parent,
  path: '/ledger',
  validateSearch: textOf('order'),
  component: lazyPage(() => import('./ledger/ledger-page.tsx'), 'LedgerPage'),
})
const webhooks = createRoute({
  ...parent,
  path: '/webhooks',
  validateSearch: textOf('status', 'type', 'payment_id', 'order'),
  component: lazyPage(() => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})
const delivery = createRoute({
  ...parent,
  path: '/webhooks/$eventId',
  component: lazyPage(() => import('./webhooks/delivery-page.tsx'), 'DeliveryPage'),
})
const endpoint = createRoute({
  ...parent,
  path: '/webhooks/endpoints/$endpointId',
  validateSearch: textOf('status', 'type', 'payment_id', 'order'),
  component: lazyPage(() => import('./webhooks/endpoints/endpoint-page.tsx'), 'EndpointPage'),
})
const endpointDelivery = createRoute({
  ...parent,
  path: '/webhooks/endpoints/$endpointId/deliveries/$eventId',
  component: lazyPage(
    () => import('./webhooks/endpoints/endpoint-delivery-page.tsx'),
    'EndpointDeliveryPage',
  ),
})
const apiKeys = createRoute({
  ...parent,
  path: '/api-keys',
  component: lazyPage(() => import('./api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
})
const requests = createRoute({
  ...parent,
  path: '/requests',
  validateSearch: textOf('status', 'method', 'path', 'from', 'to', 'order'),
  component: lazyPage(() => import('./requests/requests-page.tsx'), 'RequestsPage'),
})
const users = createRoute({
  ...parent,
  path: '/users',
  component: lazyPage(() => import('./users/users-page.tsx'), 'UsersPage'),
})
const security = createRoute({
  ...parent,
  path: '/security',
  component: lazyPage(() => import('./security/security-page.tsx'), 'SecurityPage'),
})
const settings = createRoute({
  ...parent,
  path: '/settings',
  component: lazyPage(() => import('./settings/settings-page.tsx'), 'SettingsPage'),
})
const tenants = createRoute({
  ...parent,
  path: '/tenants',
  validateSearch: textOf('q', 'role'),
  component: lazyPage(() => import('./tenants/tenants-page.tsx'), 'TenantsPage'),
})
const tenant = createRoute({
  ...parent,
  path: '/tenants/$tenantId',
  validateSearch: textOf('tab', ...paymentSearch),
  component: lazyPage(() => import('./tenants/tenant-page.tsx'), 'TenantPage'),
})
const tenantPayment = createRoute({
  ...parent,
  path: '/tenants/$tenantId/payments/$paymentId',
  component: lazyPage(() => import('./support/tenant-payment-page.tsx'), 'TenantPaymentPage'),
})
const limits = createRoute({
  ...parent,
  path: '/limits',
  component: lazyPage(() => import('./limits/limits-page.tsx'), 'LimitsPage'),
})
const providerAccounts = createRoute({
  ...parent,
  path: '/provider-accounts',
  validateSearch: textOf('provider'),
  component: lazyPage(() => import('./provider-accounts/provider-accounts-page.tsx'), 'ProviderAccountsPage'),
})
const providerHealth = createRoute({
  ...parent,
  path: '/provider-health',
  component: lazyPage(() => import('./provider-health/provider-health-page.tsx'), 'ProviderHealthPage'),
})
const callbacks = createRoute({
  ...parent,
  path: '/callbacks',
  validateSearch: textOf('status', 'payment_id', 'provider', 'tab', 'order'),
  component: lazyPage(() => import('./callbacks/callbacks-page.tsx'), 'CallbacksPage'),
})
const inbox = createRoute({
  ...parent,
  path: '/inbox',
  validateSearch: textOf('tab', 'status', 'order'),
  component: lazyPage(() => import('./inbox/inbox-page.tsx'), 'InboxPage'),
})
const reconciliation = createRoute({
  ...parent,
  path: '/reconciliation',
  validateSearch: textOf('date', 'source', 'account', 'tab', 'order'),
  component: lazyPage(() => import('./reconciliation/reconciliation-page.tsx'), 'ReconciliationPage'),
})
const auditLog = createRoute({
  ...parent,
  path: '/audit-log',
  validateSearch: textOf('action', 'tenant_id', 'from', 'to', 'order'),
  component: lazyPage(() => import('./audit/audit-log-page.tsx'), 'AuditLogPage'),
})

/** The page for an unknown path. It still shows the navigation. */
const elsewhere = createRoute({ ...parent, path: '$', component: Missing })

export const router = createRouter({
  basepath: '/dashboard',
  // Search parameters are written as plain text, such as `days=7`. By default, the router would quote this text as
  // JSON.
  parseSearch: parseSearchWith(value => value),
  stringifySearch: stringifySearchWith(JSON.stringify),
  context: {},
  routeTree: root.addChildren([
    logIn,
    resetPassword,
    acceptInvitation,
    inside.addChildren([
      overview,
      payments,
      newPayment,
      payment,
      refunds,
      fees,
      paymentMethods,
      ledger,
      webhooks,
      delivery,
      endpoint,
      endpointDelivery,
      apiKeys,
      requests,
      users,
      security,
      settings,
      tenants,
      tenant,
      tenantPayment,
      limits,
      providerAccounts,
      providerHealth,
      callbacks,
      inbox,
      reconciliation,
      auditLog,
      elsewhere,
    ]),
  ]),
  defaultPreload: 'intent',
  defaultPendingComponent: Pending,
  defaultErrorComponent: FailedPage,
  defaultNotFoundComponent: Missing,
  scrollRestoration: true,
})

onSessionLost(() => {
  const { pathname, href } = router.state.location
  // The session has ended, so the page is reloaded to remove the session's data from memory.
  if (pathname !== '/login')
    void router.navigate({
      to: '/login',
      search: { next: href, why: 'ended' },
      reloadDocument: true,
      ignoreBlocker: true,
    })
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
