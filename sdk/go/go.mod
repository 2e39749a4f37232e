module touchstone.example/certificate

go 1.19
