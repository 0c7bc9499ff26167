import { Stack, Text } from '@mantine/core'
import { useWords, words } from '../language/language.tsx'
import { useAccount } from '../session/account.ts'
import classes from './branding.module.css'
import { type BrandingDraft, brandingOf, colorIn, contrastOf, dataUrl } from './branding-draft.ts'

const text = words({
  en: {
    title: 'Preview',
    none: 'Your customers see neither your name nor a logo, because no branding is set.',
    example: 'Payment received',
  },
  id: {
    title: 'Pratinjau',
    none: 'Pelanggan Anda tidak melihat nama maupun logo, karena tampilan merek belum diatur.',
    example: 'Pembayaran diterima',
  },
})

/** Previews the top of a payment page with the branding. A color that the service would reject is not shown. */
export function BrandPreview({ draft }: { draft: BrandingDraft }) {
  const t = useWords(text)
  const account = useAccount()
  const { display_name, logo, ...rest } = brandingOf(draft)
  const color = colorIn(rest.color ?? '')
  const shown = color !== undefined && contrastOf(color).isEnough ? color : undefined
  return (
    <Stack gap={6}>
      <Text size="sm" fw={500}>
        {t.title}
      </Text>
      {display_name || logo || shown ? (
        <div className={classes.page}>
          <div
            className={classes.brand}
            style={shown === undefined ? undefined : { background: shown, color: '#ffffff' }}
          >
            {logo && <img className={classes.logo} src={dataUrl(logo)} alt="" />}
            <bdi>{display_name ?? account.name}</bdi>
          </div>
          <div className={classes.rest}>{t.example}</div>
        </div>
      ) : (
        <Text size="sm" c="dimmed">
          {t.none}
        </Text>
      )}
    </Stack>
  )
}
