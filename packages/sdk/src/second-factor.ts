import type { ApiPromise } from './api-promise.ts'
import type { CallOptions } from './call.ts'
import {
  confirmSecondFactor,
  confirmTotp,
  getSecondFactor,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
  setSecurity,
  startTotp,
} from './generated/operations.gen.ts'
import type {
  EnrolledFactor,
  RecoveryCodes,
  SecondFactor,
  SecuritySettings,
  TotpSecret,
} from './generated/types.gen.ts'
import { Resource } from './resource.ts'

/** The second factors of the user that the access token belongs to. Passkeys are added in the dashboard. */
export class SecondFactorResource extends Resource {
  /**
   * Returns the second factors of the user, without their secrets.
   *
   * @example
   * const { has_totp, passkeys } = await gapura.secondFactor.get()
   */
  get(options?: CallOptions): ApiPromise<SecondFactor> {
    return this.call.repeatable(getSecondFactor, {}, options)
  }

  /**
   * Creates a secret for an authenticator app. Show `uri` to the user as a QR code, then call `confirmTotp` with a
   * code from the app.
   *
   * @example
   * const { uri } = await gapura.secondFactor.startTotp()
   */
  startTotp(options?: CallOptions): ApiPromise<TotpSecret> {
    return this.call.once(startTotp, {}, options)
  }

  /**
   * Enables the authenticator app with a code from the app. If the user has no second factor yet, the current password
   * is also required, and the response contains ten recovery codes. Show these codes to the user, because no later
   * response contains them.
   *
   * @example
   * const { recovery_codes } = await gapura.secondFactor.confirmTotp({ code: '123456', currentPassword })
   */
  confirmTotp(
    given: string | { code: string; currentPassword?: string | undefined },
    options?: CallOptions,
  ): ApiPromise<EnrolledFactor> {
    const { code, currentPassword } = typeof given === 'string' ? { code: given } : given
    const body = { code, ...(currentPassword !== undefined && { current_password: currentPassword }) }
    return this.call.once(confirmTotp, { body }, options)
  }

  /**
   * Disables the authenticator app of the user that the access token belongs to.
   *
   * @example
   * await gapura.secondFactor.removeTotp()
   */
  removeTotp(options?: CallOptions): ApiPromise<{ removed: true }> {
    return this.call.once(removeTotp, {}, options)
  }

  /**
   * Creates ten new recovery codes. The previous codes stop working.
   *
   * @example
   * const { recovery_codes } = await gapura.secondFactor.renewRecoveryCodes()
   */
  renewRecoveryCodes(options?: CallOptions): ApiPromise<RecoveryCodes> {
    return this.call.once(renewRecoveryCodes, {}, options)
  }

  /**
   * Confirms the session with an authenticator app code or a recovery code. Then repeat the call that threw
   * `OtpRequiredError`.
   *
   * @example
   * await gapura.secondFactor.confirm('123456')
   */
  confirm(code: string, options?: CallOptions): ApiPromise<{ confirmed: true }> {
    return this.call.once(confirmSecondFactor, { body: { code } }, options)
  }

  /**
   * Removes a passkey of the user that the access token belongs to.
   *
   * @example
   * await gapura.secondFactor.removePasskey(passkeyId)
   */
  removePasskey(passkeyId: string, options?: CallOptions): ApiPromise<{ removed: true }> {
    return this.call.once(removePasskey, { path: { passkey_id: passkeyId } }, options)
  }

  /**
   * Sets whether every user in the tenant must have a second factor.
   *
   * @example
   * await gapura.secondFactor.setRequired(true)
   */
  setRequired(isRequired: boolean, options?: CallOptions): ApiPromise<SecuritySettings> {
    return this.call.once(setSecurity, { body: { second_factor_required: isRequired } }, options)
  }

  /**
   * Sets the amount in cents above which a refund by a user requires a recently confirmed second factor. If the amount
   * is 0, every refund by a user requires this confirmation. `account.get` returns the amount as `refund_proof_above`.
   *
   * @example
   * await gapura.secondFactor.setRefundProofAbove(50_000_000)
   */
  setRefundProofAbove(amount: number, options?: CallOptions): ApiPromise<SecuritySettings> {
    return this.call.once(setSecurity, { body: { refund_proof_above: amount } }, options)
  }
}
