// The account and webhook settings of the caller's tenant.

import type { ApiPromise, PagePromise } from './api-promise.ts'
import { type CallOptions, pagesOf } from './call.ts'
import {
  changePassword,
  endOtherSessions,
  endSession,
  eraseCustomer,
  getAccount,
  getBalance,
  getNotifications,
  listOwnApiKeys,
  listOwnUsers,
  listSessions,
  updateNotifications,
} from './generated/operations.gen.ts'
import type {
  Account,
  ApiKey,
  Balance,
  EraseCustomerBody,
  GetBalanceData,
  ListOwnApiKeysData,
  ListOwnUsersData,
  ListSessionsData,
  Notifications,
  Session,
  UpdateNotificationsBody,
  User,
} from './generated/types.gen.ts'
import type { Loose, QueryOf } from './operation.ts'
import { Resource } from './resource.ts'

/** The caller's tenant and user: profile, balance, API keys, users, sessions, password and emails about problems. */
export class AccountResource extends Resource {
  /**
   * Returns the tenant and user that the access token belongs to.
   *
   * @example
   * const { name, role, user } = await gapura.account.get()
   */
  get(options?: CallOptions): ApiPromise<Account> {
    return this.call.repeatable(getAccount, {}, options)
  }

  /**
   * Returns the balance in cents. An API key can read only the balance in its own mode. For a user, `mode`
   * defaults to `live`.
   *
   * @example
   * const { balance } = await gapura.account.getBalance({ mode: 'test' })
   */
  getBalance(query: QueryOf<GetBalanceData> = {}, options?: CallOptions): ApiPromise<Balance> {
    return this.call.repeatable(getBalance, { query }, options)
  }

  /**
   * Lists the tenant's API keys, including keys that are revoked or have expired.
   *
   * @example
   * const { items } = await gapura.account.listApiKeys()
   */
  listApiKeys(query: QueryOf<ListOwnApiKeysData> = {}, options?: CallOptions): PagePromise<ApiKey> {
    return pagesOf(this.call, listOwnApiKeys, { query }, options)
  }

  /**
   * Lists the users who can log in for the tenant.
   *
   * @example
   * const { items } = await gapura.account.listUsers()
   */
  listUsers(query: QueryOf<ListOwnUsersData> = {}, options?: CallOptions): PagePromise<User> {
    return pagesOf(this.call, listOwnUsers, { query }, options)
  }

  /**
   * Erases a payer's name, email address, phone number and IP address from payments. The body selects one payment, or
   * all payments with a given email address or phone number. Amounts and ledger entries are kept. This cannot be
   * undone.
   *
   * @example
   * const { erased } = await gapura.account.eraseCustomer({ customer_email: 'budi@example.com' })
   */
  eraseCustomer(body: Loose<EraseCustomerBody>, options?: CallOptions): ApiPromise<{ erased: number }> {
    return this.call.once(eraseCustomer, { body }, options)
  }

  /**
   * Changes the password of the user that the access token belongs to. All of the user's other sessions end.
   *
   * @example
   * await gapura.account.changePassword({ currentPassword, newPassword })
   */
  changePassword(
    { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
    options?: CallOptions,
  ): ApiPromise<{ changed: true }> {
    return this.call.once(
      changePassword,
      { body: { current_password: currentPassword, new_password: newPassword } },
      options,
    )
  }

  /**
   * Returns which emails about problems the user receives, for example about an expiring API key. Kinds of
   * emails that the user's role and permissions exclude are absent.
   *
   * @example
   * const { key_expiring } = await gapura.account.getNotifications()
   */
  getNotifications(options?: CallOptions): ApiPromise<Notifications> {
    return this.call.repeatable(getNotifications, {}, options)
  }

  /**
   * Sets which emails about problems the user receives. Kinds of emails that the request omits stay
   * unchanged.
   *
   * @example
   * await gapura.account.updateNotifications({ key_expiring: false })
   */
  updateNotifications(
    body: Loose<UpdateNotificationsBody>,
    options?: CallOptions,
  ): ApiPromise<Notifications> {
    return this.call.repeatable(updateNotifications, { body }, options)
  }

  /**
   * Lists the open sessions of the user that the access token belongs to.
   *
   * @example
   * const { items } = await gapura.account.listSessions()
   */
  listSessions(query: QueryOf<ListSessionsData> = {}, options?: CallOptions): PagePromise<Session> {
    return pagesOf(this.call, listSessions, { query }, options)
  }

  /**
   * Ends one of the user's sessions. Within one second, the service rejects this session's access tokens.
   *
   * @example
   * await gapura.account.endSession(sessionId)
   */
  endSession(sessionId: string, options?: CallOptions): ApiPromise<{ ended: true }> {
    return this.call.once(endSession, { path: { session_id: sessionId } }, options)
  }

  /**
   * Ends all of the user's sessions except the session that the access token belongs to.
   *
   * @example
   * const { ended } = await gapura.account.endOtherSessions()
   */
  endOtherSessions(options?: CallOptions): ApiPromise<{ ended: number }> {
    return this.call.once(endOtherSessions, {}, options)
  }
}
