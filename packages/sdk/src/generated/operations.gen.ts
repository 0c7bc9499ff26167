// Generated from openapi/openapi.json by scripts/generate-operations.mjs. Do not edit.

import type { Operation } from '../operation.ts'
import type * as types from './types.gen.ts'

/** Create a payment */
export const createPayment: Operation<types.CreatePaymentData, types.CreatePaymentResponses> = { method: 'POST', path: '/v1/payments/create' }

/** List payments */
export const listPayments: Operation<types.ListPaymentsData, types.ListPaymentsResponses> = { method: 'GET', path: '/v1/payments' }

/** Get a payment */
export const getPayment: Operation<types.GetPaymentData, types.GetPaymentResponses> = { method: 'GET', path: '/v1/payments/{payment_id}' }

/** Cancel a payment */
export const cancelPayment: Operation<types.CancelPaymentData, types.CancelPaymentResponses> = { method: 'POST', path: '/v1/payments/{payment_id}/cancel' }

/** List a payment's ledger entries */
export const listPaymentLedger: Operation<types.ListPaymentLedgerData, types.ListPaymentLedgerResponses> = { method: 'GET', path: '/v1/payments/{payment_id}/ledger' }

/** List a payment's status changes */
export const listPaymentTimeline: Operation<types.ListPaymentTimelineData, types.ListPaymentTimelineResponses> = { method: 'GET', path: '/v1/payments/{payment_id}/timeline' }

/** List a payment's charge attempts */
export const listPaymentAttempts: Operation<types.ListPaymentAttemptsData, types.ListPaymentAttemptsResponses> = { method: 'GET', path: '/v1/payments/{payment_id}/attempts' }

/** List active payment methods */
export const listActiveMethods: Operation<types.ListActiveMethodsData, types.ListActiveMethodsResponses> = { method: 'GET', path: '/v1/active-methods' }

/** Get the webhook configuration */
export const getWebhook: Operation<types.GetWebhookData, types.GetWebhookResponses> = { method: 'GET', path: '/v1/account/webhook' }

/** Set the callback URL */
export const setWebhook: Operation<types.SetWebhookData, types.SetWebhookResponses> = { method: 'PUT', path: '/v1/account/webhook' }

/** Replace the webhook secret */
export const rotateWebhookSecret: Operation<types.RotateWebhookSecretData, types.RotateWebhookSecretResponses> = { method: 'POST', path: '/v1/account/webhook/rotate-secret', acceptsKey: true }

/** Send a test webhook */
export const sendTestWebhook: Operation<types.SendTestWebhookData, types.SendTestWebhookResponses> = { method: 'POST', path: '/v1/account/webhook/test', acceptsKey: true }

/** List webhook deliveries */
export const listWebhookDeliveries: Operation<types.ListWebhookDeliveriesData, types.ListWebhookDeliveriesResponses> = { method: 'GET', path: '/v1/webhook-deliveries' }

/** Redeliver failed webhooks */
export const redeliverFailedWebhooks: Operation<types.RedeliverFailedWebhooksData, types.RedeliverFailedWebhooksResponses> = { method: 'POST', path: '/v1/webhook-deliveries/redeliver' }

/** Get a webhook delivery */
export const getWebhookDelivery: Operation<types.GetWebhookDeliveryData, types.GetWebhookDeliveryResponses> = { method: 'GET', path: '/v1/webhook-deliveries/{event_id}' }

/** Redeliver a webhook */
export const redeliverWebhook: Operation<types.RedeliverWebhookData, types.RedeliverWebhookResponses> = { method: 'POST', path: '/v1/webhook-deliveries/{event_id}/redeliver', acceptsKey: true }

/** Listen for test-mode webhooks */
export const listenForWebhooks: Operation<types.ListenForWebhooksData, types.ListenForWebhooksResponses> = { method: 'GET', path: '/v1/account/webhook/events' }

/** Get the balance */
export const getBalance: Operation<types.GetBalanceData, types.GetBalanceResponses> = { method: 'GET', path: '/v1/account/balance' }

/** List the ledger entries */
export const listLedger: Operation<types.ListLedgerData, types.ListLedgerResponses> = { method: 'GET', path: '/v1/account/ledger' }

/** Get the ledger seal */
export const getLedgerSeal: Operation<types.GetLedgerSealData, types.GetLedgerSealResponses> = { method: 'GET', path: '/v1/account/ledger/seal' }

/** Get the account */
export const getAccount: Operation<types.GetAccountData, types.GetAccountResponses> = { method: 'GET', path: '/v1/account' }

/** List your API keys */
export const listOwnApiKeys: Operation<types.ListOwnApiKeysData, types.ListOwnApiKeysResponses> = { method: 'GET', path: '/v1/account/api-keys' }

/** List your users */
export const listOwnUsers: Operation<types.ListOwnUsersData, types.ListOwnUsersResponses> = { method: 'GET', path: '/v1/account/users' }

/** Change your password */
export const changePassword: Operation<types.ChangePasswordData, types.ChangePasswordResponses> = { method: 'POST', path: '/v1/account/password' }

/** List requests */
export const listRequests: Operation<types.ListRequestsData, types.ListRequestsResponses> = { method: 'GET', path: '/v1/account/requests' }

/** Get a request */
export const getRequest: Operation<types.GetRequestData, types.GetRequestResponses> = { method: 'GET', path: '/v1/account/requests/{request_id}' }

/** Log in */
export const login: Operation<types.LoginData, types.LoginResponses> = { method: 'POST', path: '/v1/auth/login' }

/** Renew the access token */
export const refresh: Operation<types.RefreshData, types.RefreshResponses> = { method: 'POST', path: '/v1/auth/refresh' }

/** Log out */
export const logout: Operation<types.LogoutData, types.LogoutResponses> = { method: 'POST', path: '/v1/auth/logout' }

/** Request a password reset */
export const requestPasswordReset: Operation<types.RequestPasswordResetData, types.RequestPasswordResetResponses> = { method: 'POST', path: '/v1/auth/password-reset/request' }

/** Confirm a password reset */
export const confirmPasswordReset: Operation<types.ConfirmPasswordResetData, types.ConfirmPasswordResetResponses> = { method: 'POST', path: '/v1/auth/password-reset/confirm' }

/** Get a payment report */
export const reportPayments: Operation<types.ReportPaymentsData, types.ReportPaymentsResponses> = { method: 'GET', path: '/v1/reports/payments' }

/** Reconcile a day's payments */
export const reportReconciliation: Operation<types.ReportReconciliationData, types.ReportReconciliationResponses> = { method: 'GET', path: '/v1/reports/reconciliation' }

/** List the audit log */
export const listAuditLog: Operation<types.ListAuditLogData, types.ListAuditLogResponses> = { method: 'GET', path: '/v1/audit-log' }

/** List tenants */
export const listTenants: Operation<types.ListTenantsData, types.ListTenantsResponses> = { method: 'GET', path: '/v1/tenants' }

/** Create a tenant */
export const createTenant: Operation<types.CreateTenantData, types.CreateTenantResponses> = { method: 'POST', path: '/v1/tenants', acceptsKey: true }

/** Get a tenant */
export const getTenant: Operation<types.GetTenantData, types.GetTenantResponses> = { method: 'GET', path: '/v1/tenants/{tenant_id}' }

/** Change a tenant */
export const updateTenant: Operation<types.UpdateTenantData, types.UpdateTenantResponses> = { method: 'PATCH', path: '/v1/tenants/{tenant_id}' }

/** List the limits of the tiers */
export const listTierLimits: Operation<types.ListTierLimitsData, types.ListTierLimitsResponses> = { method: 'GET', path: '/v1/limits' }

/** Change the limits of a tier */
export const updateTierLimits: Operation<types.UpdateTierLimitsData, types.UpdateTierLimitsResponses> = { method: 'PATCH', path: '/v1/limits/{tier}' }

/** Reset the limits of a tier */
export const resetTierLimits: Operation<types.ResetTierLimitsData, types.ResetTierLimitsResponses> = { method: 'DELETE', path: '/v1/limits/{tier}' }

/** Get the limits of a tenant */
export const getTenantLimits: Operation<types.GetTenantLimitsData, types.GetTenantLimitsResponses> = { method: 'GET', path: '/v1/tenants/{tenant_id}/limits' }

/** Change the limits of a tenant */
export const updateTenantLimits: Operation<types.UpdateTenantLimitsData, types.UpdateTenantLimitsResponses> = { method: 'PATCH', path: '/v1/tenants/{tenant_id}/limits' }

/** Reset the limits of a tenant */
export const resetTenantLimits: Operation<types.ResetTenantLimitsData, types.ResetTenantLimitsResponses> = { method: 'DELETE', path: '/v1/tenants/{tenant_id}/limits' }

/** List a tenant's API keys */
export const listApiKeys: Operation<types.ListApiKeysData, types.ListApiKeysResponses> = { method: 'GET', path: '/v1/tenants/{tenant_id}/api-keys' }

/** Create an API key */
export const createApiKey: Operation<types.CreateApiKeyData, types.CreateApiKeyResponses> = { method: 'POST', path: '/v1/tenants/{tenant_id}/api-keys', acceptsKey: true }

/** Revoke an API key */
export const revokeApiKey: Operation<types.RevokeApiKeyData, types.RevokeApiKeyResponses> = { method: 'DELETE', path: '/v1/tenants/{tenant_id}/api-keys/{key_id}' }

/** Rotate an API key */
export const rotateApiKey: Operation<types.RotateApiKeyData, types.RotateApiKeyResponses> = { method: 'POST', path: '/v1/tenants/{tenant_id}/api-keys/{key_id}/rotate', acceptsKey: true }

/** List a tenant's users */
export const listUsers: Operation<types.ListUsersData, types.ListUsersResponses> = { method: 'GET', path: '/v1/tenants/{tenant_id}/users' }

/** Create a user */
export const createUser: Operation<types.CreateUserData, types.CreateUserResponses> = { method: 'POST', path: '/v1/tenants/{tenant_id}/users', acceptsKey: true }

/** Get a tenant's entitlements */
export const getEntitlements: Operation<types.GetEntitlementsData, types.GetEntitlementsResponses> = { method: 'GET', path: '/v1/tenants/{tenant_id}/entitlements' }

/** Set a tenant's entitlements */
export const setEntitlements: Operation<types.SetEntitlementsData, types.SetEntitlementsResponses> = { method: 'PUT', path: '/v1/tenants/{tenant_id}/entitlements' }

/** Get a tenant's routing rules */
export const getRoutingRules: Operation<types.GetRoutingRulesData, types.GetRoutingRulesResponses> = { method: 'GET', path: '/v1/tenants/{tenant_id}/routing-rules' }

/** Set a tenant's routing rules */
export const setRoutingRules: Operation<types.SetRoutingRulesData, types.SetRoutingRulesResponses> = { method: 'PUT', path: '/v1/tenants/{tenant_id}/routing-rules' }

/** Preview the route of a payment */
export const previewRoute: Operation<types.PreviewRouteData, types.PreviewRouteResponses> = { method: 'GET', path: '/v1/tenants/{tenant_id}/route' }

/** List providers */
export const listProviders: Operation<types.ListProvidersData, types.ListProvidersResponses> = { method: 'GET', path: '/v1/providers' }

/** Get the health of provider accounts */
export const listProviderHealth: Operation<types.ListProviderHealthData, types.ListProviderHealthResponses> = { method: 'GET', path: '/v1/provider-health' }

/** List a provider's accounts */
export const listProviderAccounts: Operation<types.ListProviderAccountsData, types.ListProviderAccountsResponses> = { method: 'GET', path: '/v1/providers/{provider_code}/accounts' }

/** Create a provider account */
export const createProviderAccount: Operation<types.CreateProviderAccountData, types.CreateProviderAccountResponses> = { method: 'POST', path: '/v1/providers/{provider_code}/accounts', acceptsKey: true }

/** Change a provider account */
export const updateProviderAccount: Operation<types.UpdateProviderAccountData, types.UpdateProviderAccountResponses> = { method: 'PATCH', path: '/v1/providers/{provider_code}/accounts/{account_id}' }

/** Upload a settlement */
export const uploadSettlement: Operation<types.UploadSettlementData, types.UploadSettlementResponses> = { method: 'PUT', path: '/v1/providers/{provider_code}/accounts/{account_id}/settlements/{date}', contentType: 'text/csv' }

/** List the settlements of a provider account */
export const listSettlements: Operation<types.ListSettlementsData, types.ListSettlementsResponses> = { method: 'GET', path: '/v1/providers/{provider_code}/accounts/{account_id}/settlements' }

/** Resolve a challenged payment */
export const resolvePayment: Operation<types.ResolvePaymentData, types.ResolvePaymentResponses> = { method: 'POST', path: '/v1/payments/{payment_id}/resolve' }

/** List provider callbacks */
export const listProviderCallbacks: Operation<types.ListProviderCallbacksData, types.ListProviderCallbacksResponses> = { method: 'GET', path: '/v1/provider-callbacks' }

/** List rejected provider callbacks */
export const listRejectedCallbacks: Operation<types.ListRejectedCallbacksData, types.ListRejectedCallbacksResponses> = { method: 'GET', path: '/v1/provider-callbacks/rejected' }

/** Apply a provider callback again */
export const reprocessProviderCallback: Operation<types.ReprocessProviderCallbackData, types.ReprocessProviderCallbackResponses> = { method: 'POST', path: '/v1/provider-callbacks/{id}/reprocess' }

/** List challenged payments */
export const listChallengedPayments: Operation<types.ListChallengedPaymentsData, types.ListChallengedPaymentsResponses> = { method: 'GET', path: '/v1/challenged-payments' }

/** List unexpected money */
export const listUnexpectedMoney: Operation<types.ListUnexpectedMoneyData, types.ListUnexpectedMoneyResponses> = { method: 'GET', path: '/v1/unexpected-money' }

/** Get a record of unexpected money */
export const getUnexpectedMoney: Operation<types.GetUnexpectedMoneyData, types.GetUnexpectedMoneyResponses> = { method: 'GET', path: '/v1/unexpected-money/{id}' }

/** Accept unexpected money */
export const acceptUnexpectedMoney: Operation<types.AcceptUnexpectedMoneyData, types.AcceptUnexpectedMoneyResponses> = { method: 'POST', path: '/v1/unexpected-money/{id}/accept', acceptsKey: true }

/** Assign unexpected money to a payment */
export const assignUnexpectedMoney: Operation<types.AssignUnexpectedMoneyData, types.AssignUnexpectedMoneyResponses> = { method: 'POST', path: '/v1/unexpected-money/{id}/assign', acceptsKey: true }

/** Mark unexpected money as refunded */
export const refundUnexpectedMoney: Operation<types.RefundUnexpectedMoneyData, types.RefundUnexpectedMoneyResponses> = { method: 'POST', path: '/v1/unexpected-money/{id}/refund', acceptsKey: true }

/** Dismiss a refund or chargeback */
export const dismissUnexpectedMoney: Operation<types.DismissUnexpectedMoneyData, types.DismissUnexpectedMoneyResponses> = { method: 'POST', path: '/v1/unexpected-money/{id}/dismiss', acceptsKey: true }

/** List charges of unknown outcome */
export const listUnknownPayments: Operation<types.ListUnknownPaymentsData, types.ListUnknownPaymentsResponses> = { method: 'GET', path: '/v1/unknown-payments' }

/** Poll the provider for a charge of unknown outcome */
export const inquireUnknownPayment: Operation<types.InquireUnknownPaymentData, types.InquireUnknownPaymentResponses> = { method: 'POST', path: '/v1/unknown-payments/{payment_id}/inquire' }

/** Resolve a charge of unknown outcome */
export const resolveUnknownPayment: Operation<types.ResolveUnknownPaymentData, types.ResolveUnknownPaymentResponses> = { method: 'POST', path: '/v1/unknown-payments/{payment_id}/resolve', acceptsKey: true }

/** Get the result of ledger verification */
export const getLedgerVerification: Operation<types.GetLedgerVerificationData, types.GetLedgerVerificationResponses> = { method: 'GET', path: '/v1/ledger-verification' }

/** List daily reconciliations */
export const listReconciliationRuns: Operation<types.ListReconciliationRunsData, types.ListReconciliationRunsResponses> = { method: 'GET', path: '/v1/reconciliation-runs' }

/** List differences found by daily reconciliation */
export const listReconciliationDifferences: Operation<types.ListReconciliationDifferencesData, types.ListReconciliationDifferencesResponses> = { method: 'GET', path: '/v1/reconciliation-differences' }

/** Close a difference */
export const closeReconciliationDifference: Operation<types.CloseReconciliationDifferenceData, types.CloseReconciliationDifferenceResponses> = { method: 'POST', path: '/v1/reconciliation-differences/{id}/close', acceptsKey: true }
