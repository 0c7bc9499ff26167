import { Button } from '@mantine/core'
import { useDisclosure, useSessionStorage } from '@mantine/hooks'
import { lazy, Suspense, useState } from 'react'
import { useWords, words } from '../language/language.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Pending } from '../parts/states.tsx'
import type { RefundOffer } from './refund-words.ts'

const RefundForm = lazy(() => import('./refund-form.tsx'))

const newKey = () => crypto.randomUUID()

const text = words({
  en: { refund: 'Refund…', title: 'Refund this payment' },
  id: { refund: 'Kembalikan dana…', title: 'Kembalikan dana pembayaran ini' },
})

/**
 * The button that opens the refund form. If nothing is left to refund, the button is hidden, but a form that is
 * already open stays.
 */
export function RefundButton({ paymentId, offer }: { paymentId: string; offer: RefundOffer }) {
  const t = useWords(text)
  const [isOpen, { open, close }] = useDisclosure()
  // The next refund's idempotency key. A second click or a retry sends the same key, so it creates no second refund.
  //
  // A request whose response was lost may have created the refund. The key therefore stays the same if the user
  // changes, closes or reopens the form. The service then rejects a changed request instead of creating a second
  // refund.
  const [unsentKey, setUnsentKey] = useState<string>(newKey)
  // A key that was sent also stays the same if the user leaves or reloads the page.
  const [sentKey, setSentKey, forgetSentKey] = useSessionStorage<string | undefined>({
    key: `gapura-refund-key-${paymentId}`,
    getInitialValueInEffect: false,
  })
  // The idempotency key that was already stored when the user opened this page.
  const [keptKey] = useState(sentKey)
  const key = sentKey ?? unsentKey
  return (
    <>
      {offer.left > 0 && (
        <Button variant="default" onClick={open}>
          {t.refund}
        </Button>
      )}
      <Dialog opened={isOpen} onClose={close} title={t.title}>
        <Suspense fallback={<Pending />}>
          <RefundForm
            paymentId={paymentId}
            offer={offer}
            idempotencyKey={key}
            wasSentBefore={key === keptKey}
            keepKey={() => setSentKey(key)}
            renewKey={() => {
              forgetSentKey()
              setUnsentKey(newKey())
            }}
            close={close}
          />
        </Suspense>
      </Dialog>
    </>
  )
}
