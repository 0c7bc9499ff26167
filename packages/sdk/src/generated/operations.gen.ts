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

/** List a payment's refunds */
export const listPaymentRefunds: Operation<types.ListPaymentRefundsData, types.ListPaymentRefundsResponses> = { method: 'GET', path: '/v1/payments/{payment_id}/refunds' }

/** Refund a payment */
export const createRefund: Operation<types.CreateRefundData, types.CreateRefundResponses> = { method: 'POST', path: '/v1/payments/{payment_id}/refunds' }

/** List refunds */
export const listRefunds: Operation<types.ListRefundsData, types.ListRefundsResponses> = { method: 'GET', path: '/v1/refunds' }

/** Get a refund */
export const getRefund: Operation<types.GetRefundData, types.GetRefundResponses> = { method: 'GET', path: '/v1/refunds/{refund_id}' }

/** Resolve a refund */
export const resolveRefund: Operation<types.ResolveRefundData, types.ResolveRefundResponses> = { method: 'POST', path: '/v1/refunds/{refund_id}/resolve', acceptsKey: true }

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
export const redeliverFailedWebhooks: Operation<types.RedeliverFailedWebhooksData, types.RedeliverFailedWebhooksResponses> = { method: 'POST', path: '/v1/webhook-deliveries/redeliver', acceptsKey: true }

/** Get a webhook delivery */
export const getWebhookDelivery: Operation<types.GetWebhookDeliveryData, types.GetWebhookDeliveryResponses> = { method: 'GET', path: '/v1/webhook-deliveries/{event_id}' }

/** Redeliver a webhook */
export const redeliverWebhook: Operation<types.RedeliverWebhookData, types.RedeliverWebhookResponses> = { method: 'POST', path: '/v1/webhook-deliveries/{event_id}/redeliver', acceptsKey: true }

/** List webhook endpoints */
export const listWebhookEndpoints: Operation<types.ListWebhookEndpointsData, types.ListWebhookEndpointsResponses> = { method: 'GET', path: '/v1/webhook-endpoints' }

/** Create a webhook endpoint */
export const createWebhookEndpoint: Operation<types.CreateWebhookEndpointData, types.CreateWebhookEndpointResponses> = { method: 'POST', path: '/v1/webhook-endpoints', acceptsKey: true }

/** Get a webhook endpoint */
export const getWebhookEndpoint: Operation<types.GetWebhookEndpointData, types.GetWebhookEndpointResponses> = { method: 'GET', path: '/v1/webhook-endpoints/{endpoint_id}' }

/** Change a webhook endpoint */
export const updateWebhookEndpoint: Operation<types.UpdateWebhookEndpointData, types.UpdateWebhookEndpointResponses> = { method: 'PATCH', path: '/v1/webhook-endpoints/{endpoint_id}' }

/** Delete a webhook endpoint */
export const deleteWebhookEndpoint: Operation<types.DeleteWebhookEndpointData, types.DeleteWebhookEndpointResponses> = { method: 'DELETE', path: '/v1/webhook-endpoints/{endpoint_id}' }

/** Replace a webhook endpoint's secret */
export const rotateWebhookEndpointSecret: Operation<types.RotateWebhookEndpointSecretData, types.RotateWebhookEndpointSecretResponses> = { method: 'POST', path: '/v1/webhook-endpoints/{endpoint_id}/rotate-secret', acceptsKey: true }

/** List a webhook endpoint's deliveries */
export const listWebhookEndpointDeliveries: Operation<types.ListWebhookEndpointDeliveriesData, types.ListWebhookEndpointDeliveriesResponses> = { method: 'GET', path: '/v1/webhook-endpoints/{endpoint_id}/deliveries' }

/** Get a webhook endpoint's delivery */
export const getWebhookEndpointDelivery: Operation<types.GetWebhookEndpointDeliveryData, types.GetWebhookEndpointDeliveryResponses> = { method: 'GET', path: '/v1/webhook-endpoints/{endpoint_id}/deliveries/{event_id}' }

/** Redeliver a webhook to an endpoint */
export const redeliverToWebhookEndpoint: Operation<types.RedeliverToWebhookEndpointData, types.RedeliverToWebhookEndpointResponses> = { method: 'POST', path: '/v1/webhook-endpoints/{endpoint_id}/deliveries/{event_id}/redeliver', acceptsKey: true }

/** Listen for test-mode webhooks */
export const listenForWebhooks: Operation<types.ListenForWebhooksData, types.ListenForWebhooksResponses> = { method: 'GET', path: '/v1/account/webhook/events' }

/** List your sessions */
export const listSessions: Operation<types.ListSessionsData, types.ListSessionsResponses> = { method: 'GET', path: '/v1/account/sessions' }

/** End all other sessions */
export const endOtherSessions: Operation<types.EndOtherSessionsData, types.EndOtherSessionsResponses> = { method: 'DELETE', path: '/v1/account/sessions' }

/** End a session */
export const endSession: Operation<types.EndSessionData, types.EndSessionResponses> = { method: 'DELETE', path: '/v1/account/sessions/{session_id}' }

/** Get your notifications */
export const getNotifications: Operation<types.GetNotificationsData, types.GetNotificationsResponses> = { method: 'GET', path: '/v1/account/notifications' }

/** Change your notifications */
export const updateNotifications: Operation<types.UpdateNotificationsData, types.UpdateNotificationsResponses> = { method: 'PATCH', path: '/v1/account/notifications' }

/** Get the branding */
export const getBranding: Operation<types.GetBrandingData, types.GetBrandingResponses> = { method: 'GET', path: '/v1/branding' }

/** Set the branding */
export const setBranding: Operation<types.SetBrandingData, types.SetBrandingResponses> = { method: 'PUT', path: '/v1/branding' }

/** Get the balance */
export const getBalance: Operation<types.GetBalanceData, types.GetBalanceResponses> = { method: 'GET', path: '/v1/account/balance' }

/** List the ledger entries */
export const listLedger: Operation<types.ListLedgerData, types.ListLedgerResponses> = { method: 'GET', path: '/v1/account/ledger' }

/** Get the ledger seal */
export const getLedgerSeal: Operation<types.GetLedgerSealData, types.GetLedgerSealResponses> = { method: 'GET', path: '/v1/account/ledger/seal' }

/** Erase a payer's personal data */
export const eraseCustomer: Operation<types.EraseCustomerData, types.EraseCustomerResponses> = { method: 'POST', path: '/v1/account/erase-customer', acceptsKey: true }

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

/** Finish a login with a second factor */
export const completeLogin: Operation<types.CompleteLoginData, types.CompleteLoginResponses> = { method: 'POST', path: '/v1/auth/login/otp' }

/** Renew the access token */
export const refresh: Operation<types.RefreshData, types.RefreshResponses> = { method: 'POST', path: '/v1/auth/refresh' }

/** Log out */
export const logout: Operation<types.LogoutData, types.LogoutResponses> = { method: 'POST', path: '/v1/auth/logout' }

/** Request a password reset */
export const requestPasswordReset: Operation<types.RequestPasswordResetData, types.RequestPasswordResetResponses> = { method: 'POST', path: '/v1/auth/password-reset/request' }

/** Confirm a password reset */
export const confirmPasswordReset: Operation<types.ConfirmPasswordResetData, types.ConfirmPasswordResetResponses> = { method: 'POST', path: '/v1/auth/password-reset/confirm' }

/** Accept an invitation */
export const acceptInvitation: Operation<types.AcceptInvitationData, types.AcceptInvitationResponses> = { method: 'POST', path: '/v1/auth/invitations/accept' }

/** Get a payment report */
export const reportPayments: Operation<types.ReportPaymentsData, types.ReportPaymentsResponses> = { method: 'GET', path: '/v1/reports/payments' }

/** Reconcile a day's payments */
export const reportReconciliation: Operation<types.ReportReconciliationData, types.ReportReconciliationResponses> = { method: 'GET', path: '/v1/reports/reconciliation' }

/** Get the totals of the books of all tenants */
export const reportBooks: Operation<types.ReportBooksData, types.ReportBooksResponses> = { method: 'GET', path: '/v1/reports/books' }

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

/** List a merchant's payments */
export const listTenantPayments: Operation<types.ListTenantPaymentsData, types.ListTenantPaymentsResponses> = { method: 'GET', path: '/v1/tenants/{tenant_id}/payments' }

/** Get a merchant's payment */
export const getTenantPayment: Operation<types.GetTenantPaymentData, types.GetTenantPaymentResponses> = { method: 'GET', path: '/v1/tenants/{tenant_id}/payments/{payment_id}' }

/** List the status changes for a merchant's payment */
export const listTenantPaymentTimeline: Operation<types.ListTenantPaymentTimelineData, types.ListTenantPaymentTimelineResponses> = { method: 'GET', path: '/v1/tenants/{tenant_id}/payments/{payment_id}/timeline' }

/** List the charge attempts for a merchant's payment */
export const listTenantPaymentAttempts: Operation<types.ListTenantPaymentAttemptsData, types.ListTenantPaymentAttemptsResponses> = { method: 'GET', path: '/v1/tenants/{tenant_id}/payments/{payment_id}/attempts' }

/** List the provider callbacks about a merchant's payment */
export const listTenantPaymentCallbacks: Operation<types.ListTenantPaymentCallbacksData, types.ListTenantPaymentCallbacksResponses> = { method: 'GET', path: '/v1/tenants/{tenant_id}/payments/{payment_id}/callbacks' }

/** List the webhook deliveries for a merchant's payment */
export const listTenantPaymentDeliveries: Operation<types.ListTenantPaymentDeliveriesData, types.ListTenantPaymentDeliveriesResponses> = { method: 'GET', path: '/v1/tenants/{tenant_id}/payments/{payment_id}/deliveries' }

/** List the refunds of a merchant's payment */
export const listTenantPaymentRefunds: Operation<types.ListTenantPaymentRefundsData, types.ListTenantPaymentRefundsResponses> = { method: 'GET', path: '/v1/tenants/{tenant_id}/payments/{payment_id}/refunds' }

/** List tier limits */
export const listTierLimits: Operation<types.ListTierLimitsData, types.ListTierLimitsResponses> = { method: 'GET', path: '/v1/limits' }

/** Change a tier's limits */
export const updateTierLimits: Operation<types.UpdateTierLimitsData, types.UpdateTierLimitsResponses> = { method: 'PATCH', path: '/v1/limits/{tier}' }

/** Reset a tier's limits */
export const resetTierLimits: Operation<types.ResetTierLimitsData, types.ResetTierLimitsResponses> = { method: 'DELETE', path: '/v1/limits/{tier}' }

/** Get a tenant's limits */
export const getTenantLimits: Operation<types.GetTenantLimitsData, types.GetTenantLimitsResponses> = { method: 'GET', path: '/v1/tenants/{tenant_id}/limits' }

/** Change a tenant's limits */
export const updateTenantLimits: Operation<types.UpdateTenantLimitsData, types.UpdateTenantLimitsResponses> = { method: 'PATCH', path: '/v1/tenants/{tenant_id}/limits' }

/** Reset a tenant's limits */
export const resetTenantLimits: Operation<types.ResetTenantLimitsData, types.ResetTenantLimitsResponses> = { method: 'DELETE', path: '/v1/tenants/{tenant_id}/limits' }

/** Get your fee schedule */
export const getOwnFeeSchedule: Operation<types.GetOwnFeeScheduleData, types.GetOwnFeeScheduleResponses> = { method: 'GET', path: '/v1/account/fee-schedule' }

/** Preview the fee for a payment */
export const previewOwnFee: Operation<types.PreviewOwnFeeData, types.PreviewOwnFeeResponses> = { method: 'GET', path: '/v1/account/fee-preview' }

/** Get a tenant's fee schedule */
export const getFeeSchedule: Operation<types.GetFeeScheduleData, types.GetFeeScheduleResponses> = { method: 'GET', path: '/v1/tenants/{tenant_id}/fee-schedule' }

/** Set a tenant's fee schedule */
export const setFeeSchedule: Operation<types.SetFeeScheduleData, types.SetFeeScheduleResponses> = { method: 'PUT', path: '/v1/tenants/{tenant_id}/fee-schedule' }

/** Preview the fee for a tenant's payment */
export const previewTenantFee: Operation<types.PreviewTenantFeeData, types.PreviewTenantFeeResponses> = { method: 'GET', path: '/v1/tenants/{tenant_id}/fee-preview' }

/** Get a fee report */
export const reportFees: Operation<types.ReportFeesData, types.ReportFeesResponses> = { method: 'GET', path: '/v1/reports/fees' }

/** Get your monthly fee statement */
export const getOwnFeeStatement: Operation<types.GetOwnFeeStatementData, types.GetOwnFeeStatementResponses> = { method: 'GET', path: '/v1/account/fee-statement' }

/** Get a tenant's monthly fee statement */
export const getTenantFeeStatement: Operation<types.GetTenantFeeStatementData, types.GetTenantFeeStatementResponses> = { method: 'GET', path: '/v1/tenants/{tenant_id}/fee-statement' }

/** List a tenant's API keys */
export const listApiKeys: Operation<types.ListApiKeysData, types.ListApiKeysResponses> = { method: 'GET', path: '/v1/tenants/{tenant_id}/api-keys' }

/** Create an API key */
export const createApiKey: Operation<types.CreateApiKeyData, types.CreateApiKeyResponses> = { method: 'POST', path: '/v1/tenants/{tenant_id}/api-keys', acceptsKey: true }

/** Change an API key */
export const updateApiKey: Operation<types.UpdateApiKeyData, types.UpdateApiKeyResponses> = { method: 'PATCH', path: '/v1/tenants/{tenant_id}/api-keys/{key_id}' }

/** Revoke an API key */
export const revokeApiKey: Operation<types.RevokeApiKeyData, types.RevokeApiKeyResponses> = { method: 'DELETE', path: '/v1/tenants/{tenant_id}/api-keys/{key_id}' }

/** Rotate an API key */
export const rotateApiKey: Operation<types.RotateApiKeyData, types.RotateApiKeyResponses> = { method: 'POST', path: '/v1/tenants/{tenant_id}/api-keys/{key_id}/rotate', acceptsKey: true }

/** List a tenant's users */
export const listUsers: Operation<types.ListUsersData, types.ListUsersResponses> = { method: 'GET', path: '/v1/tenants/{tenant_id}/users' }

/** Create a user */
export const createUser: Operation<types.CreateUserData, types.CreateUserResponses> = { method: 'POST', path: '/v1/tenants/{tenant_id}/users', acceptsKey: true }

/** Change a user */
export const updateUser: Operation<types.UpdateUserData, types.UpdateUserResponses> = { method: 'PATCH', path: '/v1/tenants/{tenant_id}/users/{user_id}' }

/** Remove a user */
export const removeUser: Operation<types.RemoveUserData, types.RemoveUserResponses> = { method: 'DELETE', path: '/v1/tenants/{tenant_id}/users/{user_id}' }

/** Resend an invitation */
export const resendInvitation: Operation<types.ResendInvitationData, types.ResendInvitationResponses> = { method: 'POST', path: '/v1/tenants/{tenant_id}/users/{user_id}/resend-invitation', acceptsKey: true }

/** Reset a user's second factor */
export const resetSecondFactor: Operation<types.ResetSecondFactorData, types.ResetSecondFactorResponses> = { method: 'DELETE', path: '/v1/tenants/{tenant_id}/users/{user_id}/second-factor' }

/** Get your second factors */
export const getSecondFactor: Operation<types.GetSecondFactorData, types.GetSecondFactorResponses> = { method: 'GET', path: '/v1/account/second-factor' }

/** Start setting up an authenticator app */
export const startTotp: Operation<types.StartTotpData, types.StartTotpResponses> = { method: 'POST', path: '/v1/account/second-factor/totp' }

/** Disable the authenticator app */
export const removeTotp: Operation<types.RemoveTotpData, types.RemoveTotpResponses> = { method: 'DELETE', path: '/v1/account/second-factor/totp' }

/** Enable an authenticator app */
export const confirmTotp: Operation<types.ConfirmTotpData, types.ConfirmTotpResponses> = { method: 'POST', path: '/v1/account/second-factor/totp/confirm' }

/** Create new recovery codes */
export const renewRecoveryCodes: Operation<types.RenewRecoveryCodesData, types.RenewRecoveryCodesResponses> = { method: 'POST', path: '/v1/account/second-factor/recovery-codes' }

/** Confirm your second factor again */
export const confirmSecondFactor: Operation<types.ConfirmSecondFactorData, types.ConfirmSecondFactorResponses> = { method: 'POST', path: '/v1/account/second-factor/confirm' }

/** Remove a passkey */
export const removePasskey: Operation<types.RemovePasskeyData, types.RemovePasskeyResponses> = { method: 'DELETE', path: '/v1/account/second-factor/passkeys/{passkey_id}' }

/** Change the security settings */
export const setSecurity: Operation<types.SetSecurityData, types.SetSecurityResponses> = { method: 'PUT', path: '/v1/account/security' }

/** Get a tenant's entitlements */
export const getEntitlements: Operation<types.GetEntitlementsData, types.GetEntitlementsResponses> = { method: 'GET', path: '/v1/tenants/{tenant_id}/entitlements' }

/** Set a tenant's entitlements */
export const setEntitlements: Operation<types.SetEntitlementsData, types.SetEntitlementsResponses> = { method: 'PUT', path: '/v1/tenants/{tenant_id}/entitlements' }

/** Get a tenant's routing rules */
export const getRoutingRules: Operation<types.GetRoutingRulesData, types.GetRoutingRulesResponses> = { method: 'GET', path: '/v1/tenants/{tenant_id}/routing-rules' }

/** Set a tenant's routing rules */
export const setRoutingRules: Operation<types.SetRoutingRulesData, types.SetRoutingRulesResponses> = { method: 'PUT', path: '/v1/tenants/{tenant_id}/routing-rules' }

/** Preview a payment's route */
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

/** List a settlement's lines */
export const listSettlementLines: Operation<types.ListSettlementLinesData, types.ListSettlementLinesResponses> = { method: 'GET', path: '/v1/providers/{provider_code}/accounts/{account_id}/settlements/{date}' }

/** Upload a settlement */
export const uploadSettlement: Operation<types.UploadSettlementData, types.UploadSettlementResponses> = { method: 'PUT', path: '/v1/providers/{provider_code}/accounts/{account_id}/settlements/{date}', contentType: 'text/csv' }

/** List a provider account's settlements */
export const listSettlements: Operation<types.ListSettlementsData, types.ListSettlementsResponses> = { method: 'GET', path: '/v1/providers/{provider_code}/accounts/{account_id}/settlements' }

/** Resolve a challenged payment */
export const resolvePayment: Operation<types.ResolvePaymentData, types.ResolvePaymentResponses> = { method: 'POST', path: '/v1/payments/{payment_id}/resolve', acceptsKey: true }

/** List provider callbacks */
export const listProviderCallbacks: Operation<types.ListProviderCallbacksData, types.ListProviderCallbacksResponses> = { method: 'GET', path: '/v1/provider-callbacks' }

/** List rejected provider callbacks */
export const listRejectedCallbacks: Operation<types.ListRejectedCallbacksData, types.ListRejectedCallbacksResponses> = { method: 'GET', path: '/v1/provider-callbacks/rejected' }

/** Apply a provider callback again */
export const reprocessProviderCallback: Operation<types.ReprocessProviderCallbackData, types.ReprocessProviderCallbackResponses> = { method: 'POST', path: '/v1/provider-callbacks/{id}/reprocess', acceptsKey: true }

/** List challenged payments */
export const listChallengedPayments: Operation<types.ListChallengedPaymentsData, types.ListChallengedPaymentsResponses> = { method: 'GET', path: '/v1/challenged-payments' }

/** List unexpected money */
export const listUnexpectedMoney: Operation<types.ListUnexpectedMoneyData, types.ListUnexpectedMoneyResponses> = { method: 'GET', path: '/v1/unexpected-money' }

/** Get an unexpected money record */
export const getUnexpectedMoney: Operation<types.GetUnexpectedMoneyData, types.GetUnexpectedMoneyResponses> = { method: 'GET', path: '/v1/unexpected-money/{id}' }

/** Accept unexpected money */
export const acceptUnexpectedMoney: Operation<types.AcceptUnexpectedMoneyData, types.AcceptUnexpectedMoneyResponses> = { method: 'POST', path: '/v1/unexpected-money/{id}/accept', acceptsKey: true }

/** Assign unexpected money to a payment */
export const assignUnexpectedMoney: Operation<types.AssignUnexpectedMoneyData, types.AssignUnexpectedMoneyResponses> = { method: 'POST', path: '/v1/unexpected-money/{id}/assign', acceptsKey: true }

/** Refund unexpected money */
export const refundUnexpectedMoney: Operation<types.RefundUnexpectedMoneyData, types.RefundUnexpectedMoneyResponses> = { method: 'POST', path: '/v1/unexpected-money/{id}/refund', acceptsKey: true }

/** Dismiss a reported refund or chargeback, or unconfirmed money */
export const dismissUnexpectedMoney: Operation<types.DismissUnexpectedMoneyData, types.DismissUnexpectedMoneyResponses> = { method: 'POST', path: '/v1/unexpected-money/{id}/dismiss', acceptsKey: true }

/** List charges with an unknown outcome */
export const listUnknownPayments: Operation<types.ListUnknownPaymentsData, types.ListUnknownPaymentsResponses> = { method: 'GET', path: '/v1/unknown-payments' }

/** Poll the provider about a charge with an unknown outcome */
export const inquireUnknownPayment: Operation<types.InquireUnknownPaymentData, types.InquireUnknownPaymentResponses> = { method: 'POST', path: '/v1/unknown-payments/{payment_id}/inquire', acceptsKey: true }

/** Resolve a charge with an unknown outcome */
export const resolveUnknownPayment: Operation<types.ResolveUnknownPaymentData, types.ResolveUnknownPaymentResponses> = { method: 'POST', path: '/v1/unknown-payments/{payment_id}/resolve', acceptsKey: true }

/** Get the result of ledger verification */
export const getLedgerVerification: Operation<types.GetLedgerVerificationData, types.GetLedgerVerificationResponses> = { method: 'GET', path: '/v1/ledger-verification' }

/** List daily reconciliations */
export const listReconciliationRuns: Operation<types.ListReconciliationRunsData, types.ListReconciliationRunsResponses> = { method: 'GET', path: '/v1/reconciliation-runs' }

/** List differences found by daily reconciliation */
export const listReconciliationDifferences: Operation<types.ListReconciliationDifferencesData, types.ListReconciliationDifferencesResponses> = { method: 'GET', path: '/v1/reconciliation-differences' }

/** Close a difference */
export const closeReconciliationDifference: Operation<types.CloseReconciliationDifferenceData, types.CloseReconciliationDifferenceResponses> = { method: 'POST', path: '/v1/reconciliation-differences/{id}/close', acceptsKey: true }
