// What went wrong, as the API tells it: `bad request: callback_url: must be https` is a sentence about a field.

import { TRPCClientError } from '@trpc/client'
import { RestError } from './rest-error.ts'
import { isScriptLost } from './script-lost.ts'

export type Fault = {
  /** Not of the API: the page itself went wrong. */
  isOfPage: boolean
  /** Of the API's table of errors; empty where no answer came. */
  code: string
  /** The field of the form that it is about. */
  field: string | undefined
  message: string
  /** The same again may succeed. */
  isPassing: boolean
}

const passing = ['SERVICE_UNAVAILABLE', 'RATE_LIMITED', '']

/** A provider's own words may have a colon, too: what it says of a field of ours names one of two words. */
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
