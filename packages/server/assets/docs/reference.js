// Starts the API reference. Everything that would ask another origin, or lead a reader away to make an account there,
// is off.

Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  // The document says "/": what a reader sends and copies goes to the service that serves this page.
  servers: [{ url: location.origin, description: 'This service' }],
  theme: 'none',
  layout: 'modern',
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'none',
  hideDarkModeToggle: true,
  persistAuth: false,
  authentication: {
    preferredSecurityScheme: 'ApiKey',
    // The scheme is part of the header's value, and the key is no Bearer token.
    securitySchemes: { ApiKey: { value: 'ApiKey gp_test_replace_this' } },
  },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
})
