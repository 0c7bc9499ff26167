import type { KeyScope } from '@gapura/server/key-scope'
import { Checkbox, type CheckboxGroupProps, Stack, TagsInput, type TagsInputProps } from '@mantine/core'
import { useWords, words } from '../language/language.tsx'

const text = words({
  en: {
    scopes: 'Scopes',
    scopesHint: 'If you choose no scope, the key can call every operation that accepts API keys.',
    restrictedHint:
      'If you choose no scope, the key gets all scopes in this list. You need the permission Finance to give a key scopes for refunds or payouts.',
    ips: 'Allowed IP addresses',
    ipsHint:
      'IP addresses or networks (CIDR) of your servers. If you leave this empty, the key works from any address.',
    add: 'Type an address, then press Enter',
  },
  id: {
    scopes: 'Cakupan',
    scopesHint:
      'Jika tidak ada cakupan yang dipilih, kunci dapat memanggil semua operasi yang menerima kunci API.',
    restrictedHint:
      'Jika tidak ada cakupan yang dipilih, kunci mendapat semua cakupan ini. Kunci untuk pengembalian dana atau pencairan memerlukan izin Keuangan.',
    ips: 'Alamat IP yang diizinkan',
    ipsHint:
      'Alamat IP atau jaringan (CIDR) server Anda. Jika dikosongkan, kunci berlaku dari alamat mana pun.',
    add: 'Ketik alamat, lalu tekan Enter',
  },
})

const scopeHints = words({
  en: {
    'payments:read': 'Read payments, payment methods, webhook events and the request log',
    'payments:write': 'Create and cancel payments; includes everything that payments:read allows',
    refunds: 'Refund payments and read refunds',
    payouts: 'Pay out balances',
    reports: 'Read balances and ledgers',
  },
  id: {
    'payments:read': 'Membaca pembayaran, metode pembayaran, event webhook, dan log permintaan',
    'payments:write': 'Membuat dan membatalkan pembayaran; termasuk semua yang diizinkan payments:read',
    refunds: 'Mengembalikan dana pembayaran dan membaca pengembalian dana',
    payouts: 'Mencairkan saldo',
    reports: 'Membaca saldo dan buku besar',
  },
} satisfies Record<'en' | 'id', Record<KeyScope, string>>)

type Given = {
  /** The scopes to choose from. */
  offered: readonly KeyScope[]
  /** True if the user may create a key without scopes. */
  mayBeUnrestricted: boolean
  scopes: Omit<CheckboxGroupProps<KeyScope>, 'children'>
  allowedIps: TagsInputProps
}

/**
 * The form fields that limit an API key: its scopes (allowed operations), and the IP addresses it can be used from.
 */
export function KeyLimitsInput({ offered, mayBeUnrestricted, scopes, allowedIps }: Given) {
  const t = useWords(text)
  const hints = useWords(scopeHints)
  return (
    <>
      <Checkbox.Group
        label={t.scopes}
        description={mayBeUnrestricted ? t.scopesHint : t.restrictedHint}
        {...scopes}
      >
        <Stack gap="xs" mt="xs">
          {offered.map(scope => (
            <Checkbox
              key={scope}
              value={scope}
              label={<span className="mono">{scope}</span>}
              description={hints[scope]}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <TagsInput
        label={t.ips}
        description={t.ipsHint}
        placeholder={t.add}
        splitChars={[',', ' ']}
        acceptValueOnBlur
        {...allowedIps}
      />
    </>
  )
}
