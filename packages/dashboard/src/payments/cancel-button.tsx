import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { queryClient } from '../api/query-client.ts'
import { client, type Inputs, type Outputs, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { useAct } from '../parts/use-act.ts'
import type { Payment } from './payment-words.ts'

const text = words({
  en: {
    cancel: 'Cancel payment',
    title: 'Cancel this payment?',
    what: 'It is no longer waited for, and the webhook payment.cancelled is sent. The provider is not told: should the payer pay all the same, the payment becomes paid and the money is credited to you.',
    done: 'The payment is cancelled',
  },
  id: {
    cancel: 'Batalkan pembayaran',
    title: 'Batalkan pembayaran ini?',
    what: 'Pembayaran tidak lagi ditunggu, dan webhook payment.cancelled dikirim. Penyedia tidak diberi tahu: bila pembayar tetap membayar, pembayaran menjadi lunas dan dananya dikreditkan kepada Anda.',
    done: 'Pembayaran dibatalkan',
  },
})

export function CancelButton({ payment }: { payment: Payment }) {
  const t = useWords(text)
  const [isOpen, { open, close }] = useDisclosure()
  const cancelling = useAct<Inputs['payments']['cancel'], Outputs['payments']['cancel']>({
    mutationFn: input => client.payments.cancel.mutate(input),
    done: t.done,
    async onSettled() {
      close()
      await queryClient.invalidateQueries({
        queryKey: trpc.payments.pathKey(),
        predicate: ({ queryKey }) => JSON.stringify(queryKey).includes(payment.id),
      })
      // The button to which the focus would return no longer exists after the payment is cancelled.
      document.getElementById('page')?.focus()
    },
  })
  return (
    <>
      <Button variant="default" onClick={open}>
        {t.cancel}
      </Button>
      <Confirm
        isOpen={isOpen}
        close={close}
        title={t.title}
        act={t.cancel}
        isActing={cancelling.isPending}
        onAct={() => cancelling.mutate({ payment_id: payment.id })}
        isGrave
      >
        {t.what}
      </Confirm>
    </>
  )
}
