// Parses API errors. For example, `bad request: callback_url: must be https` is a message about one field.

import { TRPCClientError } from '@trpc/client'
import { RestError } from './rest-error.ts'
import { isScriptLost } from './script-lost.ts'

export type Fault = {
  /** The error comes from the page itself, not from the API. */
  isOfPage: boolean
  /** Error code of the API; empty if no response was received. */
  code: string
  /** The form field that the error is about. */
  field: string | undefined
  message: string
  /** A retry of the same request may succeed. */
  isPassing: boolean
}

const passing = ['SERVICE_UNAVAILABLE', 'RATE_LIMITED', '']

/**
 * A provider's own message may contain a colon too. After a provider error, only a name with an underscore counts as
 * a field.
 */
const aboutField =
  /^(?:(?:bad request|conflict|forbidden): (?=[a-z_])|provider error \[.+?\]: (?=[a-z]+_))([\w.]+): (.*)$/s

export function faultOf(error: unknown): Fault {
  if (isScriptLost(error))
    return { isOfPage: false, code: '', field: undefined, message: error.message, isPassing: true }
  if (!(error instanceof TRPCClientError || error instanceof RestError))
    return { isOfPage: true, code: '', field: undefined, message: String(error), isPassing: false }
  const code = error instanceof RestError ? error.code : String(error.data?.errorCode ?? '')
  const [, field, said] = aboutField.exec(error.message) ?? []
  return {
    isOfPage: false,
    code,
    field,
    message:
      said ??
      error.message.replace(
        /^(bad request|not found|conflict|forbidden|unauthorized|rate limited|service unavailable): /,
        '',
      ),
    isPassing: passing.includes(code),
  }
}
