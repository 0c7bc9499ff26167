import type { AppRouter } from '@gapura/server'
import type { TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { proveAgain } from '../session/proof.ts'

/** If a call requires the second factor, asks the user to confirm it, then repeats the call once. */
export const proofLink: TRPCLink<AppRouter> =
  () =>
  ({ next, op }) =>
    observable(observer => {
      const send = (isRepeated: boolean) =>
        next(op).subscribe({
          next: value => observer.next(value),
          complete: () => observer.complete(),
          error(error) {
            if (isRepeated || error.data?.errorCode !== 'OTP_REQUIRED') observer.error(error)
            else
              proveAgain().then(
                () => {
                  subscription = send(true)
                },
                () => observer.error(error),
              )
          },
        })
      let subscription = send(false)
      return () => subscription.unsubscribe()
    })
