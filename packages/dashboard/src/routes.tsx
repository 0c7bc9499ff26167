// The routes of all pages. Each page has its own script. All pages except log-in and password reset are inside the
// shell and require a session.

import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  parseSearchWith,
  redirect,
  stringifySearchWith,
} from '@tanstack/react-router'
import { queryClient } from './api/query-client.ts'
import { FailedOutside, FailedPage } from './parts/failed-page.tsx'
import { lazyPage } from './parts/lazy-page.ts'
import { Missing, Pending } from './parts/states.tsx'
import { accountQuery } from './session/account.ts'
import { onSessionLost, resume } from './session/session.ts'

const root = createRootRouteWithContext<object>()({ component: Outlet })

/** Reads search parameters as text. The server validates their values. */
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

const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async ({ location }) => {
    if (!(await resume())) throw redirect({ to: '/login', search: { next: location.href } })
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

const payments = createRoute({
  ...parent,
  path: '/payments',
  validateSearch: textOf('q', 'status', 'method_type', 'from', 'to'),
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
const ledger = createRoute({
  ...parent,
  path: '/ledger',
  component: lazyPage(() => import('./ledger/ledger-page.tsx'), 'LedgerPage'),
})
const webhooks = createRoute({
  ...parent,
  path: '/webhooks',
  validateSearch: textOf('status'),
  component: lazyPage(() => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})
const delivery = createRoute({
  ...parent,
  path: '/webhooks/$eventId',
  component: lazyPage(() => import('./webhooks/delivery-page.tsx'), 'DeliveryPage'),
})
const apiKeys = createRoute({
  ...parent,
  path: '/api-keys',
  component: lazyPage(() => import('./api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
})
const requests = createRoute({
  ...parent,
  path: '/requests',
  validateSearch: textOf('status', 'method', 'path', 'from', 'to'),
  component: lazyPage(() => import('./requests/requests-page.tsx'), 'RequestsPage'),
})
const users = createRoute({
  ...parent,
  path: '/users',
  component: lazyPage(() => import('./users/users-page.tsx'), 'UsersPage'),
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
  validateSearch: textOf('tab'),
  component: lazyPage(() => import('./tenants/tenant-page.tsx'), 'TenantPage'),
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
  validateSearch: textOf('status', 'payment_id', 'provider', 'tab'),
  component: lazyPage(() => import('./callbacks/callbacks-page.tsx'), 'CallbacksPage'),
})
const inbox = createRoute({
  ...parent,
  path: '/inbox',
  validateSearch: textOf('tab', 'status'),
  component: lazyPage(() => import('./inbox/inbox-page.tsx'), 'InboxPage'),
})
const reconciliation = createRoute({
  ...parent,
  path: '/reconciliation',
  validateSearch: textOf('date', 'source', 'account', 'tab'),
  component: lazyPage(() => import('./reconciliation/reconciliation-page.tsx'), 'ReconciliationPage'),
})
const auditLog = createRoute({
  ...parent,
  path: '/audit-log',
  validateSearch: textOf('action', 'tenant_id', 'from', 'to'),
  component: lazyPage(() => import('./audit/audit-log-page.tsx'), 'AuditLogPage'),
})

/** The page for an unknown path, which still shows the navigation. */
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
    inside.addChildren([
      overview,
      payments,
      newPayment,
      payment,
      ledger,
      webhooks,
      delivery,
      apiKeys,
      requests,
      users,
      tenants,
      tenant,
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
  // The document is reloaded, so that no data of the session stays in memory.
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
