export type Answer = { status: number; body: { success: false; message: string } }

// Creates an error response. Tripay documents only the message for a wrong API key, and an integration quotes the message
// for an unknown payment method. All other messages and all HTTP statuses are invented for the sandbox.
export function refusal(message: string, status = 400): Answer {
  return { status, body: { success: false, message } }
}

export const invalidApiKey = refusal('Invalid API Key', 200)
