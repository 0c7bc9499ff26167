import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { useWords, words } from '../language/language.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Pending } from '../parts/states.tsx'
import type { RefundOffer } from './refund-words.ts'

const RefundForm = lazy(() => import('./refund-form.tsx'))

const text = words({
  en: { refund: 'Refund…', title: 'Refund this payment' },
  id: { refund: 'Kembalikan dana…', title: 'Kembalikan dana pembayaran ini' },
})

export function RefundButton({ paymentId, offer }: { paymentId: string; offer: RefundOffer }) {
  const t = useWords(text)
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" onClick={open}>
        {t.refund}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={t.title}>
        <Suspense fallback={<Pending />}>
          <RefundForm paymentId={paymentId} offer={offer} close={close} />
        </Suspense>
      </Dialog>
    </>
  )
}
