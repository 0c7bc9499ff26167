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
    what: 'Gapura stops waiting for this payment and sends the webhook payment.cancelled. The provider is not notified. If the payer pays anyway, the payment becomes paid and the amount is credited to you.',
    done: 'Payment cancelled',
  },
  id: {
    cancel: 'Batalkan pembayaran',
    title: 'Batalkan pembayaran ini?',
    what: 'Gapura tidak lagi menunggu pembayaran ini dan mengirim webhook payment.cancelled. Penyedia tidak diberi tahu. Jika pembayar tetap membayar, pembayaran menjadi lunas dan jumlahnya dikreditkan kepada Anda.',
    done: 'Pembayaran telah dibatalkan',
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
      // After the cancellation, the button that opened the dialog no longer exists, so the page gets the
      // keyboard focus instead.
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
