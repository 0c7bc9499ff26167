// What went wrong, as the API tells it: `bad request: callback_url: must be https` is a sentence about a field.

import { TRPCClientError } from '@trpc/client'
import { RestError } from './rest-error.ts'

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

export function faultOf(error: unknown): Fault {
  if (!(error instanceof TRPCClientError || error instanceof RestError))
    return { isOfPage: true, code: '', field: undefined, message: String(error), isPassing: false }
  const code = error instanceof RestError ? error.code : String(error.data?.code ?? '')
  const [, field, said] =
    /^(?:bad request|conflict|forbidden): ([a-z_][\w.]*): (.*)$/s.exec(error.message) ?? []
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
