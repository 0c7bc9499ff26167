import { TextLink } from '../parts/links.tsx'

type Given = { tenantId: string | null; paymentCode: string }

/**
 * A payment code that links to the page for a merchant's payment. Only the Owner (the service's operator) and
 * Partners (resellers) may open this page.
 */
export const PaymentLink = ({ tenantId, paymentCode }: Given) =>
  tenantId === null ? (
    <span className="mono">{paymentCode}</span>
  ) : (
    <TextLink
      to="/tenants/$tenantId/payments/$paymentId"
      params={{ tenantId, paymentId: paymentCode }}
      className="mono"
      inherit
    >
      {paymentCode}
    </TextLink>
  )
