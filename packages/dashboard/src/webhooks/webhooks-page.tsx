export const WebhooksPage = () => <p>WebhooksPage</p>
