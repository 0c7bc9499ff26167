module clients

go 1.22.2

require (
	github.com/PTNUSASATUINTIARTHA-DOKU/doku-golang-library v1.1.8
	github.com/midtrans/midtrans-go v1.3.8
	github.com/xendit/xendit-go/v7 v7.0.0
)

require github.com/golang-jwt/jwt/v4 v4.5.0 // indirect
