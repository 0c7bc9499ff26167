import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { useAct } from '../parts/use-act.ts'
import { useIsPermitted } from '../session/account.ts'

const text = words({
  en: {
    open: 'Erase customer data',
    title: 'Erase the customer’s data?',
    what: 'The payer’s name, email address, phone number, IP address and bank account are erased from this payment and its refunds. Amounts and ledger entries stay. This cannot be undone.',
    act: 'Erase',
    done: 'Customer data erased',
  },
  id: {
    open: 'Hapus data pelanggan',
    title: 'Hapus data pelanggan ini?',
    what: 'Nama, alamat email, nomor telepon, alamat IP, dan rekening bank pembayar dihapus dari pembayaran ini dan pengembalian dananya. Jumlah dan mutasi tetap ada. Tindakan ini tidak dapat dibatalkan.',
    act: 'Hapus',
    done: 'Data pelanggan dihapus',
  },
})

/** Erases the payer's personal data from a payment and its refunds. */
export function EraseCustomer({ paymentId }: { paymentId: string }) {
  const t = useWords(text)
  const queries = useQueryClient()
  const [isOpen, { open, close }] = useDisclosure()
  const mayErase = useIsPermitted('admin')
  const erasing = useAct({
    done: t.done,
    mutationFn: () => client.customers.erase.mutate({ payment_id: paymentId }),
    onSuccess() {
      close()
      return Promise.all([
        queries.invalidateQueries({ queryKey: trpc.payments.pathKey() }),
        queries.invalidateQueries({ queryKey: trpc.refunds.pathKey() }),
      ])
    },
  })
  if (!mayErase) return null
  return (
    <>
      <Button variant="subtle" color="red" size="xs" mx={-14} onClick={open}>
        {t.open}
      </Button>
      <Confirm
        isOpen={isOpen}
        close={close}
        title={t.title}
        act={t.act}
        isActing={erasing.isPending}
        onAct={() => erasing.mutate()}
        isGrave
      >
        {t.what}
      </Confirm>
    </>
  )
}
